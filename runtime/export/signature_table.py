"""Signatures of TensorFlow's op types, as a table.

A row is `name | inputs | outputs | attributes`; indented lines continue a row. An input or output
is `name:type`, where the type is a dtype or the attribute that holds it: `name:T`; `name:N*T`: `N`
tensors of one dtype; `name:*T`: tensors of the dtypes in the list `T`. An attribute is `name:kind`,
with an optional `=default`. Signatures of elementwise ops that follow from their definitions, and
of rows of a family that states one (`NodeForm.signature`), are not listed. The table transcribes
TensorFlow's registry.
"""

TABLE = r"""
Abs | x:T | y:T | T:type
Add | x:T y:T | z:T | T:type
AddN | inputs:N*T | sum:T | N:int T:type
All | input:bool reduction_indices:Tidx | output:bool | keep_dims:bool=false Tidx:type=int32
Any | input:bool reduction_indices:Tidx | output:bool | keep_dims:bool=false Tidx:type=int32
ArgMax | input:T dimension:Tidx | output:output_type | T:type Tidx:type=int32
    output_type:type=int64
ArgMin | input:T dimension:Tidx | output:output_type | T:type Tidx:type=int32
    output_type:type=int64
AsString | input:T | output:string | T:type precision:int=-1 scientific:bool=false
    shortest:bool=false width:int=-1 fill:string=""
Assert | condition:bool data:*T | | T:list(type) summarize:int=3
AssignAddVariableOp | resource:resource value:dtype | | dtype:type
AssignSubVariableOp | resource:resource value:dtype | | dtype:type
AssignVariableOp | resource:resource value:dtype | | dtype:type validate_shape:bool=false
AvgPool | value:T | output:T | ksize:list(int) strides:list(int) padding:string
    data_format:string="NHWC" T:type
AvgPoolGrad | orig_input_shape:int32 grad:T | output:T | ksize:list(int) strides:list(int)
    padding:string data_format:string="NHWC" T:type
BatchMatMulV2 | x:T y:T | output:T | T:type adj_x:bool=false adj_y:bool=false grad_x:bool=false
    grad_y:bool=false
BroadcastGradientArgs | s0:T s1:T | r0:T r1:T | T:type=int32
BroadcastTo | input:T shape:Tidx | output:T | T:type Tidx:type=int32
Case | branch_index:int32 input:*Tin | output:*Tout | Tin:list(type) Tout:list(type)
    branches:list(func) output_shapes:list(shape)={}
Cast | x:SrcT | y:DstT | SrcT:type DstT:type Truncate:bool=false
CheckNumerics | tensor:T | output:T | T:type message:string
Cholesky | input:T | output:T | T:type
Complex | real:T imag:T | out:Tout | T:type=float32 Tout:type=complex64
ComplexAbs | x:T | y:Tout | T:type=complex64 Tout:type=float32
ConcatOffset | concat_dim:int32 shape:N*shape_type | offset:N*shape_type | N:int
    shape_type:type=int32
ConcatV2 | values:N*T axis:Tidx | output:T | N:int T:type Tidx:type=int32
Conj | input:T | output:T | T:type=complex64
Const | | output:dtype | value:tensor dtype:type
Conv2D | input:T filter:T | output:T | T:type strides:list(int) use_cudnn_on_gpu:bool=true
    padding:string explicit_paddings:list(int)={} data_format:string="NHWC"
    dilations:list(int)={1,1,1,1}
Conv2DBackpropFilter | input:T filter_sizes:int32 out_backprop:T | output:T | T:type
    strides:list(int) use_cudnn_on_gpu:bool=true padding:string explicit_paddings:list(int)={}
    data_format:string="NHWC" dilations:list(int)={1,1,1,1}
Conv2DBackpropInput | input_sizes:int32 filter:T out_backprop:T | output:T | T:type
    strides:list(int) use_cudnn_on_gpu:bool=true padding:string explicit_paddings:list(int)={}
    data_format:string="NHWC" dilations:list(int)={1,1,1,1}
DecodeCSV | records:string record_defaults:*OUT_TYPE | output:*OUT_TYPE | OUT_TYPE:list(type)
    field_delim:string="," use_quote_delim:bool=true na_value:string="" select_cols:list(int)={}
DecodeRaw | bytes:string | output:out_type | out_type:type little_endian:bool=true
    binary_output:bool=false
EagerPyFunc | input:*Tin | output:*Tout | token:string is_async:bool=false Tin:list(type)
    Tout:list(type)
Elu | features:T | activations:T | T:type
EnsureShape | input:T | output:T | shape:shape T:type
Equal | x:T y:T | z:bool | T:type incompatible_shape_error:bool=true
ExpandDims | input:T dim:Tdim | output:T | T:type Tdim:type=int32
Fill | dims:index_type value:T | output:T | T:type index_type:type=int32
GatherNd | params:Tparams indices:Tindices | output:Tparams | Tparams:type Tindices:type
    bad_indices_policy:string=""
GatherV2 | params:Tparams indices:Tindices axis:Taxis | output:Tparams | batch_dims:int=0
    Tparams:type Tindices:type Taxis:type
Identity | input:T | output:T | T:type
If | cond:Tcond input:*Tin | output:*Tout | Tcond:type Tin:list(type) Tout:list(type)
    then_branch:func else_branch:func output_shapes:list(shape)={}
Imag | input:T | output:Tout | T:type=complex64 Tout:type=float32
LeakyRelu | features:T | activations:T | alpha:float=0.2 T:type=float32
LinSpace | start:T stop:T num:Tidx | output:T | T:type Tidx:type=int32
LogSoftmax | logits:T | logsoftmax:T | T:type
LowerBound | sorted_inputs:T values:T | output:out_type | T:type out_type:type=int32
MatMul | a:T b:T | product:T | transpose_a:bool=false transpose_b:bool=false T:type
    grad_a:bool=false grad_b:bool=false
MatrixBandPart | input:T num_lower:Tindex num_upper:Tindex | band:T | T:type Tindex:type=int64
MatrixDeterminant | input:T | output:T | T:type
MatrixDiagPartV3 | input:T k:int32 padding_value:T | diagonal:T | T:type
    align:string="RIGHT_LEFT"
MatrixDiagV3 | diagonal:T k:int32 num_rows:int32 num_cols:int32 padding_value:T | output:T |
    T:type align:string="RIGHT_LEFT"
MatrixInverse | input:T | output:T | adjoint:bool=false T:type
MatrixSetDiagV3 | input:T diagonal:T k:int32 | output:T | T:type align:string="RIGHT_LEFT"
MatrixSolve | matrix:T rhs:T | output:T | adjoint:bool=false T:type
MaxPool | input:T | output:T | T:type=float32 ksize:list(int) strides:list(int) padding:string
    explicit_paddings:list(int)={} data_format:string="NHWC"
MaxPoolGrad | orig_input:T orig_output:T grad:T | output:T | ksize:list(int) strides:list(int)
    padding:string explicit_paddings:list(int)={} data_format:string="NHWC" T:type=float32
MaxPoolGradGrad | orig_input:T orig_output:T grad:T | output:T | ksize:list(int)
    strides:list(int) padding:string data_format:string="NHWC" T:type
Multinomial | logits:T num_samples:int32 | output:output_dtype | seed:int=0 seed2:int=0 T:type
    output_dtype:type=int64
NoOp | | |
NotEqual | x:T y:T | z:bool | T:type incompatible_shape_error:bool=true
OneHot | indices:TI depth:int32 on_value:T off_value:T | output:T | axis:int=-1 T:type
    TI:type=int64
OnesLike | x:T | y:T | T:type
Pack | values:N*T | output:T | N:int T:type axis:int=0
Pad | input:T paddings:Tpaddings | output:T | T:type Tpaddings:type=int32
PadV2 | input:T paddings:Tpaddings constant_values:T | output:T | T:type Tpaddings:type=int32
ParseTensor | serialized:string | output:out_type | out_type:type
PartitionedCall | args:*Tin | output:*Tout | Tin:list(type) Tout:list(type) f:func
    config:string="" config_proto:string="" executor_type:string=""
Placeholder | | output:dtype | dtype:type shape:shape=[...]
PlaceholderWithDefault | input:dtype | output:dtype | dtype:type shape:shape
PrintV2 | input:string | | output_stream:string="stderr" end:string="\n"
PyFunc | input:*Tin | output:*Tout | token:string Tin:list(type) Tout:list(type)
PyFuncStateless | input:*Tin | output:*Tout | token:string Tin:list(type) Tout:list(type)
Qr | input:T | q:T r:T | full_matrices:bool=false T:type
RandomShuffle | value:T | output:T | seed:int=0 seed2:int=0 T:type
RandomUniformInt | shape:T minval:Tout maxval:Tout | output:Tout | seed:int=0 seed2:int=0
    Tout:type T:type
Range | start:Tidx limit:Tidx delta:Tidx | output:Tidx | Tidx:type=int32
Rank | input:T | output:int32 | T:type
ReadFile | filename:string | contents:string |
ReadVariableOp | resource:resource | value:dtype | dtype:type
Real | input:T | output:Tout | T:type=complex64 Tout:type=float32
ReduceJoin | inputs:string reduction_indices:int32 | output:string | keep_dims:bool=false
    separator:string=""
Relu | features:T | activations:T | T:type
Relu6 | features:T | activations:T | T:type
Reshape | tensor:T shape:Tshape | output:T | T:type Tshape:type=int32
ResourceScatterAdd | resource:resource indices:Tindices updates:dtype | | dtype:type
    Tindices:type
ResourceScatterNdAdd | ref:resource indices:Tindices updates:T | | T:type Tindices:type
    use_locking:bool=true bad_indices_policy:string=""
ResourceScatterNdSub | ref:resource indices:Tindices updates:T | | T:type Tindices:type
    use_locking:bool=true bad_indices_policy:string=""
ResourceScatterNdUpdate | ref:resource indices:Tindices updates:T | | T:type Tindices:type
    use_locking:bool=true bad_indices_policy:string=""
ResourceScatterSub | resource:resource indices:Tindices updates:dtype | | dtype:type
    Tindices:type
ResourceScatterUpdate | resource:resource indices:Tindices updates:dtype | | dtype:type
    Tindices:type
ReverseV2 | tensor:T axis:Tidx | output:T | Tidx:type=int32 T:type
Roll | input:T shift:Tshift axis:Taxis | output:T | T:type Tshift:type Taxis:type
ScatterNd | indices:Tindices updates:T shape:Tindices | output:T | T:type Tindices:type
    bad_indices_policy:string=""
SelectV2 | condition:bool t:T e:T | output:T | T:type
SelfAdjointEigV2 | input:T | e:T v:T | compute_v:bool=true T:type
Selu | features:T | activations:T | T:type
SerializeTensor | tensor:T | serialized:string | T:type
Shape | input:T | output:out_type | T:type out_type:type=int32
Size | input:T | output:out_type | T:type out_type:type=int32
Slice | input:T begin:Index size:Index | output:T | T:type Index:type
Softmax | logits:T | softmax:T | T:type
SoftmaxCrossEntropyWithLogits | features:T labels:T | loss:T backprop:T | T:type
Softplus | features:T | activations:T | T:type
Softsign | features:T | activations:T | T:type
SparseSoftmaxCrossEntropyWithLogits | features:T labels:Tlabels | loss:T backprop:T | T:type
    Tlabels:type=int64
Split | split_dim:int32 value:T | output:num_split*T | num_split:int T:type
SplitV | value:T size_splits:Tlen split_dim:int32 | output:num_split*T | num_split:int T:type
    Tlen:type=int64
Squeeze | input:T | output:T | T:type squeeze_dims:list(int)={}
StatefulPartitionedCall | args:*Tin | output:*Tout | Tin:list(type) Tout:list(type) f:func
    config:string="" config_proto:string="" executor_type:string=""
StatelessCase | branch_index:int32 input:*Tin | output:*Tout | Tin:list(type) Tout:list(type)
    branches:list(func) output_shapes:list(shape)={}
StatelessIf | cond:Tcond input:*Tin | output:*Tout | Tcond:type Tin:list(type) Tout:list(type)
    then_branch:func else_branch:func output_shapes:list(shape)={}
StatelessRandomNormal | shape:T seed:Tseed | output:dtype | dtype:type=float32 T:type=int32
    Tseed:type=int64
StatelessRandomUniform | shape:T seed:Tseed | output:dtype | dtype:type=float32 T:type=int32
    Tseed:type=int64
StatelessRandomUniformInt | shape:T seed:Tseed minval:dtype maxval:dtype | output:dtype |
    dtype:type T:type Tseed:type=int64
StatelessTruncatedNormal | shape:T seed:Tseed | output:dtype | dtype:type=float32 T:type=int32
    Tseed:type=int64
StatelessWhile | input:*T | output:*T | T:list(type) cond:func body:func
    output_shapes:list(shape)={} parallel_iterations:int=10
StopGradient | input:T | output:T | T:type
StridedSlice | input:T begin:Index end:Index strides:Index | output:T | T:type Index:type
    begin_mask:int=0 end_mask:int=0 ellipsis_mask:int=0 new_axis_mask:int=0
    shrink_axis_mask:int=0
StridedSliceGrad | shape:Index begin:Index end:Index strides:Index dy:T | output:T | T:type
    Index:type begin_mask:int=0 end_mask:int=0 ellipsis_mask:int=0 new_axis_mask:int=0
    shrink_axis_mask:int=0
StringFormat | inputs:*T | output:string | T:list(type) template:string="%s"
    placeholder:string="%s" summarize:int=3
StringJoin | inputs:N*string | output:string | N:int separator:string=""
StringLength | input:string | output:int32 | unit:string="BYTE"
StringLower | input:string | output:string | encoding:string=""
StringStrip | input:string | output:string |
StringToHashBucketFast | input:string | output:int64 | num_buckets:int
StringToNumber | string_tensor:string | output:out_type | out_type:type=float32
StringUpper | input:string | output:string | encoding:string=""
Substr | input:string pos:T len:T | output:string | T:type unit:string="BYTE"
TensorListFromTensor | tensor:element_dtype element_shape:shape_type | output_handle:variant |
    element_dtype:type shape_type:type
TensorListGetItem | input_handle:variant index:int32 element_shape:Tshape | item:element_dtype |
    element_dtype:type Tshape:type=int32
TensorListLength | input_handle:variant | length:int32 |
TensorListPushBack | input_handle:variant tensor:element_dtype | output_handle:variant |
    element_dtype:type
TensorListReserve | element_shape:shape_type num_elements:int32 | handle:variant |
    element_dtype:type shape_type:type
TensorListResize | input_handle:variant size:int32 | output_handle:variant |
TensorListSetItem | input_handle:variant index:int32 item:element_dtype | output_handle:variant
    | element_dtype:type resize_if_index_out_of_bounds:bool=false
TensorListStack | input_handle:variant element_shape:int32 | tensor:element_dtype |
    element_dtype:type num_elements:int=-1
TensorScatterAdd | tensor:T indices:Tindices updates:T | output:T | T:type Tindices:type
    bad_indices_policy:string=""
TensorScatterMax | tensor:T indices:Tindices updates:T | output:T | T:type Tindices:type
    bad_indices_policy:string=""
TensorScatterMin | tensor:T indices:Tindices updates:T | output:T | T:type Tindices:type
    bad_indices_policy:string=""
TensorScatterSub | tensor:T indices:Tindices updates:T | output:T | T:type Tindices:type
    bad_indices_policy:string=""
TensorScatterUpdate | tensor:T indices:Tindices updates:T | output:T | T:type Tindices:type
    bad_indices_policy:string=""
TensorStridedSliceUpdate | input:T begin:Index end:Index strides:Index value:T | output:T |
    T:type Index:type begin_mask:int=0 end_mask:int=0 ellipsis_mask:int=0 new_axis_mask:int=0
    shrink_axis_mask:int=0
Tile | input:T multiples:Tmultiples | output:T | T:type Tmultiples:type=int32
Timestamp | | ts:float64 |
TopKV2 | input:T k:Tk | values:T indices:index_type | sorted:bool=true T:type Tk:type=int32
    index_type:type=int32
Transpose | x:T perm:Tperm | y:T | T:type Tperm:type=int32
UnicodeDecode | input:string | row_splits:Tsplits char_values:int32 | input_encoding:string
    errors:string="replace" replacement_char:int=65533 replace_control_characters:bool=false
    Tsplits:type=int64
UnicodeEncode | input_values:int32 input_splits:Tsplits | output:string |
    errors:string="replace" output_encoding:string replacement_char:int=65533 Tsplits:type=int64
Unique | x:T | y:T idx:out_idx | T:type out_idx:type=int32
Unpack | value:T | output:num*T | num:int T:type axis:int=0
UnsortedSegmentMax | data:T segment_ids:Tindices num_segments:Tnumsegments | output:T | T:type
    Tindices:type Tnumsegments:type=int32
UnsortedSegmentMin | data:T segment_ids:Tindices num_segments:Tnumsegments | output:T | T:type
    Tindices:type Tnumsegments:type=int32
UnsortedSegmentProd | data:T segment_ids:Tindices num_segments:Tnumsegments | output:T | T:type
    Tindices:type Tnumsegments:type=int32
UnsortedSegmentSum | data:T segment_ids:Tindices num_segments:Tnumsegments | output:T | T:type
    Tindices:type Tnumsegments:type=int32
UpperBound | sorted_inputs:T values:T | output:out_type | T:type out_type:type=int32
VarHandleOp | | resource:resource | container:string="" shared_name:string=""
    debug_name:string="" dtype:type shape:shape allowed_devices:list(string)={}
VarIsInitializedOp | resource:resource | is_initialized:bool |
Where | input:T | index:int64 | T:type=bool
While | input:*T | output:*T | T:list(type) cond:func body:func output_shapes:list(shape)={}
    parallel_iterations:int=10
ZerosLike | x:T | y:T | T:type
"""
