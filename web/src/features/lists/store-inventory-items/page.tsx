import { useSearchParams } from 'react-router';
import { Items } from './Items';
import { MixesPage } from './mixes/MixesPage';
import { VisibilityPage } from './visibility/VisibilityPage';

/** The items, which of them each store counts, and how counts are split over recipes. */
export default function StoreInventoryItemsPage() {
  const [search] = useSearchParams();
  const view = search.get('view');
  if (view === 'visibility') return <VisibilityPage />;
  if (view === 'mixes') return <MixesPage />;
  return <Items />;
}
