import { IconLock } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { BatchView } from './batch/BatchView';
import { Start } from './start/Start';

/** Upload, earlier imports, and each import. */
export default function ImportDataPage() {
  const [search] = useSearchParams();
  const mayImport = useCan(pages.toolsImportData.can, 'import');
  if (!mayImport) {
    return (
      <EmptyState
        page
        icon={IconLock}
        title="You may not import"
        text="Your role lets you see this page, but not import. Your administrator can give you that."
      />
    );
  }
  const batch = search.get('batch');
  if (!batch) return <Start />;
  const { path, label } = pages.toolsImportData;
  return <BatchView key={batch} id={batch} back={<BackLink to={path} label={label} />} />;
}
