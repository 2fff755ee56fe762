"""devsem: does a CUDA kernel compute its PyTorch specification's Float32 function, on this device, with these flags?"""

__version__ = "0.1.0"
