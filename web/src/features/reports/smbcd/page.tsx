import type { components } from '#/api/schema.gen';
import { useReportData } from '#/reports/api';
import { dailyReport } from '#/reports/daily';

type ProductSales = components['schemas']['ProductSales'];

/** Sales Mix By Category, Daily. */
export default dailyReport({
  page: 'reportSmbcd',
  name: 'smbcd',
  things: ['category', 'categories'],
  useItems: (filters, category, on) => {
    const query = useReportData<ProductSales>('product-sales-by-store', filters, {}, on);
    const items = query.data?.items ?? [];
    const within = items.filter(({ kind }) => category === null || (kind ?? '') === category);
    return { items: within, query };
  },
});
