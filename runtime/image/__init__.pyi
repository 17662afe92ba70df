from runtime.image.adjusting import adjust_contrast as adjust_contrast
from runtime.image.adjusting import convert_image_dtype as convert_image_dtype
from runtime.image.adjusting import rot90 as rot90
from runtime.image.resizing import resize as resize
from runtime.io.images import decode_jpeg as decode_jpeg
from runtime.io.images import decode_png as decode_png
from runtime.io.images import encode_jpeg as encode_jpeg
