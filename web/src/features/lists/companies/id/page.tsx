import { Button, Skeleton } from '@mantine/core';
import { IconFileUnknown, IconHistory, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { listApi } from '#/lists/api';
import { baseOf } from '#/lists/define';
import { RecordDrawer } from '#/lists/RecordDrawer';
import { changedNote } from '#/lists/RecordViews';
import { UsesPanel } from '#/lists/uses/UsesPanel';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { Page, Panel } from '#/ui/Page';
import { type Company, companies } from '../def';
import { Documents } from './Documents';
import { Facts } from './Facts';
import classes from './page.module.css';

const back = <BackLink to={pages.listCompanies.path} label="Companies" />;
const api = listApi<Company>(baseOf(companies));

/** A company with its documents, uses and history. */
export default function CompanyPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const [, setSearch] = useSearchParams();
  const mayEdit = useCan(companies.permission, 'edit');
  const { data: company, error } = useQuery({
    queryKey: ['lists', companies.slug, 'one', id],
    queryFn: ({ signal }) => api.get(id, signal),
  });
  const open = (view?: string) => setSearch(view ? { open: id, view } : { open: id });

  if (company) {
    return (
      <Page
        title={company.name}
        back={back}
        narrow
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconHistory size={17} stroke={1.7} aria-hidden />}
              onClick={() => open('history')}
            >
              History
            </Button>
            {mayEdit && (
              <Button
                leftSection={<IconPencil size={17} stroke={1.7} aria-hidden />}
                onClick={() => open()}
              >
                Edit company
              </Button>
            )}
          </>
        }
      >
        <div className={classes.columns}>
          <div className={classes.column}>
            <Panel title="Documents">
              <Documents companyId={company.id} />
            </Panel>
          </div>
          <div className={classes.column}>
            <Facts company={company} />
            <Panel title="Used by">
              <UsesPanel base={api.base} slug={companies.slug} id={company.id} one="company" />
            </Panel>
          </div>
        </div>
        <p className={classes.note}>{changedNote(company)}</p>
        <RecordDrawer
          def={companies}
          record={company}
          onGone={() => void navigate(pages.listCompanies.path)}
        />
      </Page>
    );
  }
  if (error) {
    return (
      <EmptyState
        page
        icon={IconFileUnknown}
        role="alert"
        title="This company could not be opened"
        text={Problem.of(error).message}
        action={
          <Button variant="default" component={Link} to={pages.listCompanies.path}>
            Back to companies
          </Button>
        }
      />
    );
  }
  return (
    <Page title="Company" back={back} narrow>
      {[260, 180].map((height) => (
        <Skeleton key={height} height={height} radius="md" />
      ))}
    </Page>
  );
}
