import { Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '#/api/client';
import { can, useMe } from '#/api/session';
import { type PageKey, pages, spec } from '#/paths';
import { kindOfSlug } from '#/records';
import { count, MISSING } from '#/ui/format';
import { kindIcon } from '#/ui/kindIcons';
import { Page } from '#/ui/Page';
import textClasses from '#/ui/Text.module.css';
import classes from './page.module.css';

const GROUPS: readonly { title: string; lists: readonly PageKey[] }[] = [
  {
    title: 'Products and items',
    lists: [
      'listPosItems',
      'listRootItems',
      'listStoreRootItems',
      'listStoreInventoryItems',
      'listRecipes',
      'listCategories',
      'listFoodTypes',
      'listProductTypes',
      'listUoms',
      'listStorageRequirements',
      'listPriceLevels',
    ],
  },
  {
    title: 'Stores',
    lists: ['listStoreFormats', 'listTenderTypes', 'listRegionalAreas', 'listOperationalAreas'],
  },
  {
    title: 'Companies and places',
    lists: [
      'listCompanies',
      'listSuppliers',
      'listCommissaries',
      'listWarehouses',
      'listColdStorages',
    ],
  },
];

export default function ListsPage() {
  const me = useMe();
  const hub = useQuery({
    queryKey: ['lists', 'hub'],
    queryFn: ({ signal }) => request('GET', '/api/lists', { signal }),
  });
  const counts = new Map(hub.data?.map((entry) => [entry.slug, entry.count]));

  return (
    <Page title="All lists" narrow>
      {hub.error && (
        <p className={classes.error} role="alert">
          <IconAlertTriangle size={16} aria-hidden /> The counts could not be loaded.{' '}
          <button
            type="button"
            className={textClasses.textButton}
            onClick={() => void hub.refetch()}
          >
            Try again
          </button>
        </p>
      )}
      {GROUPS.map(({ title, lists }) => (
        <section key={title} className={classes.group}>
          <h2 className={classes.title}>{title}</h2>
          <ul className={classes.cards}>
            {lists.map((key) => {
              const page = spec(key);
              const slug = page.path.replace('/lists/', '');
              const Picture = kindIcon(kindOfSlug(slug) ?? slug);
              const face = (
                <>
                  <Picture size={20} stroke={1.5} aria-hidden />
                  <span className={classes.name}>{page.label}</span>
                </>
              );
              if (!page.built || !can(me, page.can)) {
                return (
                  <li key={key}>
                    <span className={classes.card} data-off>
                      {face}
                      <span className={classes.count}>{page.built ? 'No access' : 'Not yet'}</span>
                    </span>
                  </li>
                );
              }
              return (
                <li key={key}>
                  <Link to={pages[key].path} className={classes.card}>
                    {face}
                    <span className={`${classes.count} num`}>
                      {hub.isPending ? (
                        <Skeleton width={28} height={10} />
                      ) : counts.has(slug) ? (
                        count(counts.get(slug))
                      ) : (
                        MISSING
                      )}
                    </span>
                  </Link>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </Page>
  );
}
