"""`runtime.math.special`: Bessel functions and integrals that have names."""

from runtime.ops.special.bessel import bessel_i0 as bessel_i0
from runtime.ops.special.bessel import bessel_i0e as bessel_i0e
from runtime.ops.special.bessel import bessel_i1 as bessel_i1
from runtime.ops.special.bessel import bessel_i1e as bessel_i1e
from runtime.ops.special.bessel import bessel_j0 as bessel_j0
from runtime.ops.special.bessel import bessel_j1 as bessel_j1
from runtime.ops.special.bessel import bessel_k0 as bessel_k0
from runtime.ops.special.bessel import bessel_k0e as bessel_k0e
from runtime.ops.special.bessel import bessel_k1 as bessel_k1
from runtime.ops.special.bessel import bessel_k1e as bessel_k1e
from runtime.ops.special.bessel import bessel_y0 as bessel_y0
from runtime.ops.special.bessel import bessel_y1 as bessel_y1
from runtime.ops.special.functions import dawsn as dawsn
from runtime.ops.special.functions import expint as expint
from runtime.ops.special.functions import fresnel_cos as fresnel_cos
from runtime.ops.special.functions import fresnel_sin as fresnel_sin
from runtime.ops.special.functions import spence as spence
