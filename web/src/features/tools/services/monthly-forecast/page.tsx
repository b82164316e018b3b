import { forecasts } from '../forecast/define';
import { ForecastServicePage } from '../forecast/ForecastServicePage';

export default function MonthlyForecastPage() {
  return <ForecastServicePage def={forecasts.monthlyForecast} />;
}
