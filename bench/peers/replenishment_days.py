"""The PyPI package replenishment in a separate process: simulates cases day by day with its order-up-to policy.

replenishment_days.py CASES prints the cases with the package's receipts, orders, lost sales and remaining stock of each
day.
replenishment_days.py CASES TURNS prints processor seconds per turn and the sums of served and ordered units.

A case's rows have its lead, review, pack, z, sigma and opening stock, and a demand and a forecast per day; the last
rows have a forecast only. The package orders in the evening of every `review`-th day, including the first, for the
days from the next one on; an order arrives `lead` days later in the morning. Its own loop and policy do the work;
its orders are rounded up to packs. Only those two modules are loaded: the package itself would import plotting."""

import csv
import importlib.util
import math
import sys
import time
import types
from itertools import groupby

package = types.ModuleType("replenishment")
package.__path__ = importlib.util.find_spec("replenishment").submodule_search_locations
sys.modules["replenishment"] = package
from replenishment.policies import PointForecastOptimizationPolicy  # noqa: E402
from replenishment.simulation import simulate_replenishment  # noqa: E402


class InPacks:
    """A policy's orders, rounded up to whole packs."""

    def __init__(self, policy, pack: int):
        self.policy, self.pack = policy, pack

    def order_quantity_for(self, state) -> int:
        return math.ceil(self.policy.order_quantity_for(state) / self.pack) * self.pack


class Case:
    def __init__(self, rows: list[dict]):
        first, self.rows = rows[0], rows
        self.lead, self.opening, self.pack = int(first["lead"]), int(first["opening"]), int(first["pack"])
        self.demand = [int(row["demand"]) for row in rows if row["demand"]]
        forecast = [int(row["forecast"]) for row in rows]
        review = int(first["review"])
        # From an evening's order until the next one arrives.
        days = self.lead - 1 + review
        self.policy = InPacks(
            PointForecastOptimizationPolicy(
                # The package sums from `lead` days on; the days to cover begin tomorrow.
                forecast=lambda period: forecast[period - self.lead + 1],
                actuals=self.demand,
                lead_time=self.lead,
                review_period=review,
                forecast_horizon=days,
                service_level_factor=float(first["z"]),
                safety_stock_method="k_rmse",
                fixed_rmse=float(first["sigma"]) * math.sqrt(days),
            ),
            self.pack,
        )

    def play(self):
        return simulate_replenishment(
            periods=len(self.demand), demand=self.demand, initial_on_hand=self.opening, lead_time=self.lead, policy=self.policy
        )


with open(sys.argv[1], newline="") as file:
    reader = csv.DictReader(file)
    inputs = reader.fieldnames[:10]
    cases = [Case(list(rows)) for _, rows in groupby(reader, key=lambda row: row["case"])]

if len(sys.argv) > 2:
    turns = int(sys.argv[2])
    began = time.process_time()
    for _ in range(turns):
        results = [case.play() for case in cases]
    took = (time.process_time() - began) / turns
    served = sum(result.summary.total_fulfilled for result in results)
    # An order of the last evening is one of the first morning after the simulated days.
    ordered = sum(day.order_placed for result in results for day in result.snapshots[:-1])
    print(took, served, ordered)
else:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*inputs, "received", "ordered", "lost", "closing"])
    for case in cases:
        days = case.play().snapshots
        for row, day in zip(case.rows, days):
            lost = day.demand - (day.starting_on_hand - day.ending_on_hand)
            writer.writerow([*(row[name] for name in inputs), day.received, day.order_placed, lost, day.ending_on_hand])
        for row in case.rows[len(days):]:
            writer.writerow([*(row[name] for name in inputs), "", "", "", ""])
