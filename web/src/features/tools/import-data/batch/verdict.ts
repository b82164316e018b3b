import { count, moment, plural } from '#/ui/format';
import { counted, outcomeLabel, writes } from '../labels';
import type { Batch, ImportList } from '../types';

export interface Verdict {
  title: string;
  text: string;
}

/** An import's state and the next action. */
export function verdict(batch: Batch, list: ImportList, halfWay: boolean): Verdict {
  const { state, summary } = batch;
  if (!summary) return { title: '', text: '' };
  const { failed, unchanged } = summary;
  const left =
    failed > 0
      ? `${plural(failed, 'row')} with problems ${failed === 1 ? 'is' : 'are'} left out.`
      : '';
  const same =
    unchanged > 0
      ? `${plural(unchanged, 'row')} ${unchanged === 1 ? 'changes' : 'change'} nothing.`
      : '';
  if (halfWay) {
    return {
      title: 'Stopped before the end',
      text: 'Import the rest, or undo what was written.',
    };
  }
  if (state === 'checked') {
    const n = writes(summary);
    if (n > 0)
      return {
        title: `Ready to import ${counted(n, list)}`,
        text: [left, same].filter(Boolean).join(' '),
      };
    if (failed === summary.rows) {
      const text =
        'Correct the problem rows and upload them again, or change how the file is read.';
      return { title: 'No row can be imported', text };
    }
    return {
      title: 'Nothing to import',
      text: failed > 0 ? `${same} ${left}` : 'No row changes anything.',
    };
  }
  if (state === 'undone') {
    const { undone = 0, kept = 0 } = summary;
    const stays = kept
      ? ` ${kept === 1 ? '1 stays as it is; its row says why' : `${count(kept)} stay as they are; their rows say why`}.`
      : '';
    return {
      title: `Undone ${moment(batch.undoneAt)}`,
      text: `${counted(undone ?? 0, list)} taken back.${stays}`,
    };
  }
  return {
    title: `Imported ${moment(batch.committedAt)}`,
    text: `${outcomeLabel({ ...summary, failed: 0 })}. ${left}`,
  };
}
