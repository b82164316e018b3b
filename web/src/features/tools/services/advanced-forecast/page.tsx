import { forecasts } from '../forecast/define';
import { ForecastServicePage } from '../forecast/ForecastServicePage';

export default function AdvancedForecastPage() {
  return <ForecastServicePage def={forecasts.advancedForecast} />;
}
