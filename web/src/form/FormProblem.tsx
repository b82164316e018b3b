import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import classes from './FormProblem.module.css';
import type { RecordForm } from './useRecordForm';

/** An error that belongs to no field. */
export function FormProblem({ edit }: { edit: Pick<RecordForm, 'problem'> }) {
  if (!edit.problem) return null;
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      icon={<IconAlertCircle size={18} aria-hidden />}
      classNames={{ root: classes.problem, message: classes.text }}
    >
      {edit.problem.message}
      {edit.problem.requestId && edit.problem.status >= 500 && ` (${edit.problem.requestId})`}
    </Alert>
  );
}
