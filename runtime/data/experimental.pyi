from runtime.data.dataset import Counter as Counter
from runtime.data.pipelines import AUTOTUNE as AUTOTUNE
from runtime.data.tables import CsvDataset as CsvDataset
from runtime.data.tables import make_csv_dataset as make_csv_dataset
