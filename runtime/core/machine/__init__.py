"""What the computer has: devices, accelerators, the threads of BLAS, optional libraries."""
