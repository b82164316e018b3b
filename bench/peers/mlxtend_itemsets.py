"""mlxtend's fpgrowth in a separate process: mlxtend_itemsets.py FILE SUPPORT prints processor seconds of the search
alone (the table of tickets is built before), the number of sets of at most three items, and the sum of their counts."""

import sys
import time
import warnings

warnings.filterwarnings("ignore")
import pandas  # noqa: E402
from mlxtend.frequent_patterns import fpgrowth  # noqa: E402
from mlxtend.preprocessing import TransactionEncoder  # noqa: E402

with open(sys.argv[1]) as file:
    tickets = [line.split() for line in file]
encoder = TransactionEncoder()
table = pandas.DataFrame(encoder.fit_transform(tickets), columns=encoder.columns_)
began = time.process_time()
sets = fpgrowth(table, min_support=float(sys.argv[2]), max_len=3, use_colnames=True)
took = time.process_time() - began
counts = (sets["support"] * len(tickets)).round().astype(int)
print(took, len(sets), int(counts.sum()))
