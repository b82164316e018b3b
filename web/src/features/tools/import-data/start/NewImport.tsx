import { useSearchParams } from 'react-router';
import { Panel } from '#/ui/Page';
import type { ImportList } from '../types';
import { ListChoice } from './ListChoice';
import classes from './NewImport.module.css';
import { Unfinished } from './Unfinished';
import { UploadFile } from './UploadFile';

/** The list to import into, and the file. */
export function NewImport({ lists }: { lists: readonly ImportList[] }) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('list');
  const chosen = lists.find(({ slug }) => slug === wanted);
  const choose = (slug: string) => setSearch({ list: slug }, { replace: true });
  return (
    <>
      <Unfinished lists={lists} />
      {wanted && !chosen && (
        <p className={classes.refused} role="status">
          What you came to import is not among what you may import: that takes the right to create
          and to edit those records. Choose another list, or ask your administrator.
        </p>
      )}
      <Panel title="What do you want to import?">
        <ListChoice lists={lists} value={chosen?.slug ?? null} onChange={choose} />
      </Panel>
      {chosen && <UploadFile key={chosen.slug} list={chosen} />}
    </>
  );
}
