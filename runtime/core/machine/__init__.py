"""The machine: devices, accelerators, threads of BLAS, optional libraries."""
