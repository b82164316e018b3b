import { render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { UploadArea } from './UploadArea';

const open = (part: { json?: boolean; focused?: boolean }) => {
  render(
    <UploadArea title="Drop a file" hint="" onFile={vi.fn()} refused={() => null} {...part} />,
  );
  return screen.getByLabelText(/^Drop a file/);
};

describe('the field for a file', () => {
  it('lets JSON files be chosen only where they are read', () => {
    expect(open({ json: true })).toHaveProperty('accept', '.csv,.txt,.tsv,.xlsx,.json');
  });

  it('leaves the focus where it is', () => {
    const field = open({});
    expect(field).toHaveProperty('accept', '.csv,.txt,.tsv,.xlsx');
    expect(document.activeElement).toBe(document.body);
  });

  it('takes the focus when the next file is to be chosen', () => {
    const field = open({ focused: true });
    expect(document.activeElement).toBe(field);
  });
});
