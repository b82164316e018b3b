import { Button, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { Fields, grouped } from '#/form/Fields';
import { FormProblem } from '#/form/FormProblem';
import { LeaveGuard } from '#/form/LeaveGuard';
import { StaleDialog } from '#/form/StaleDialog';
import { type RecordForm, useRecordForm } from '#/form/useRecordForm';
import { toWire } from '#/form/values';
import { pages, to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { moment } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';
import { type Location, locationsApi, locationsChanged } from '../api';
import { StoreDayStarts } from '../day-starts/StoreDayStarts';
import { StoreDeliveries } from '../deliveries/DeliveryBoard';
import { fields } from '../fields';
import { StoreLeases } from '../Leases';
import { StoreOpeningDays } from '../opening-days/StoreOpeningDays';
import { StoreSetup } from '../setup/StoreSetup';
import classes from './page.module.css';

const back = <BackLink to={pages.storesLocations.path} label="Locations" />;

export default function LocationPage() {
  const { id = '' } = useParams();
  const isNew = id === 'new';
  const { data, error } = useQuery({
    queryKey: ['stores', 'one', id],
    queryFn: ({ signal }) => locationsApi.get(id, signal),
    enabled: !isNew,
  });

  if (isNew) return <LocationForm key="new" record={null} />;
  if (data) return <LocationForm key={data.id} record={data} />;
  if (error) {
    return (
      <EmptyState
        icon={IconFileUnknown}
        role="alert"
        title="This store could not be opened"
        text={Problem.of(error).message}
        action={
          <Button variant="default" component={Link} to={pages.storesLocations.path}>
            Back to locations
          </Button>
        }
      />
    );
  }
  return (
    <Page title="Store" back={back} narrow>
      {[280, 180, 220].map((height) => (
        <Skeleton key={height} height={height} radius="md" />
      ))}
    </Page>
  );
}

function LocationForm({ record }: { record: Location | null }) {
  const navigate = useNavigate();
  const mayEdit = useCan('stores/storeList', record ? 'edit' : 'create');
  const [leaving, setLeaving] = useState(false);
  const edit = useRecordForm<Location>({
    fields,
    record,
    save: (changed, revision) =>
      record && revision !== null
        ? locationsApi.update(record.id, revision, changed)
        : locationsApi.create(changed),
    onSaved: (saved, created) => {
      queries.setQueryData(['stores', 'one', saved.id], saved);
      locationsChanged();
      done(created ? 'Store created' : 'Store saved');
      if (!created) return;
      setLeaving(true);
      // Deferred: the leave guard must first see the form as saved.
      setTimeout(() => void navigate(to('storesLocation', { id: saved.id }), { replace: true }));
    },
  });

  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void edit.submit();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && mayEdit) {
            event.preventDefault();
            void edit.submit();
          }
        }}
      >
        <Page
          title={record?.name ?? 'New store'}
          back={back}
          narrow
          aside={
            record &&
            (record.inactive ? (
              <StatusPill tone="neutral">Inactive</StatusPill>
            ) : (
              <StatusPill tone="ok">Active</StatusPill>
            ))
          }
          actions={
            mayEdit && (
              <>
                {edit.dirty && record && (
                  <Button variant="default" onClick={edit.reset}>
                    Discard changes
                  </Button>
                )}
                <Button type="submit" loading={edit.busy} disabled={record !== null && !edit.dirty}>
                  Save store
                </Button>
              </>
            )
          }
        >
          <FormProblem edit={edit as unknown as RecordForm} />
          {record && !record.inactive && <StoreSetup storeId={record.id} />}
          <div className={classes.groups}>
            {grouped(fields).map(({ title, fields: group }) => (
              <Panel key={title} title={title}>
                <Fields fields={group} form={edit.form} readOnly={!mayEdit} />
              </Panel>
            ))}
          </div>
          {record && (
            <p className={classes.note}>
              Last changed {moment(record.updatedAt)}. Created {moment(record.createdAt)}.
            </p>
          )}
        </Page>
        <LeaveGuard dirty={edit.dirty && !leaving} what="this store" />
        {edit.stale && (
          <StaleDialog
            stale={edit.stale}
            fields={fields}
            mine={toWire(fields, edit.form.values)}
            busy={edit.busy}
            onResolve={edit.resolve}
            onClose={edit.keepTyping}
          />
        )}
      </form>
      {record && (
        <div className={classes.deliveries}>
          <StoreDeliveries storeId={record.id} />
        </div>
      )}
      {record && (
        <div className={classes.deliveries}>
          <StoreOpeningDays storeId={record.id} />
        </div>
      )}
      {record && (
        <div className={classes.deliveries}>
          <StoreDayStarts storeId={record.id} />
        </div>
      )}
      {record && (
        <div className={classes.deliveries}>
          <StoreLeases storeId={record.id} />
        </div>
      )}
    </>
  );
}
