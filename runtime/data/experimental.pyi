from runtime.data.counter import Counter as Counter
from runtime.data.tables import CsvDataset as CsvDataset
from runtime.data.tables import make_csv_dataset as make_csv_dataset
from runtime.data.transformations import AUTOTUNE as AUTOTUNE
