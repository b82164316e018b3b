import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { listApi } from '#/lists/api';

export type Location = components['schemas']['Location'];

export const locationsApi = listApi<Location>('/api/stores/locations');

export function locationsChanged(): void {
  void queries.invalidateQueries({ queryKey: ['stores'] });
  void queries.invalidateQueries({ queryKey: ['names', 'stores'] });
}
