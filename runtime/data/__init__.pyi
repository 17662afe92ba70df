from runtime.data import experimental as experimental
from runtime.data.dataset import Dataset as Dataset
from runtime.data.dataset import DatasetSpec as DatasetSpec
from runtime.data.files import TextLineDataset as TextLineDataset
from runtime.data.files import TFRecordDataset as TFRecordDataset
from runtime.data.iteration import INFINITE_CARDINALITY as INFINITE_CARDINALITY
from runtime.data.iteration import UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY
from runtime.data.iteration import OwnedIterator
from runtime.data.pipelines import AUTOTUNE as AUTOTUNE

Iterator = OwnedIterator
