import { forecasts } from '../forecast/define';
import { ForecastServicePage } from '../forecast/ForecastServicePage';

export default function DailyMovingAveragePage() {
  return <ForecastServicePage def={forecasts.dailyMovingAverage} />;
}
