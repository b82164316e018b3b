import { forecasts } from '../forecast/define';
import { ForecastServicePage } from '../forecast/ForecastServicePage';

export default function WeeklyForecastPage() {
  return <ForecastServicePage def={forecasts.weeklyForecast} />;
}
