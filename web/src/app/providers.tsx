import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queries } from '#/api/queries';
import { NumberFields } from '#/ui/NumberFields';
import { Toasts } from '#/ui/Toasts';
import { theme, variables } from './theme';

const scheme = localStorageColorSchemeManager({ key: 'larder:scheme' });

/** The nonce this page's content security policy requires for style elements. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

// The scroll lock of dialogs adds a style element and reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce() });

export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={scheme}
        defaultColorScheme="auto"
        getStyleNonce={nonce}
      >
        {children}
        <NumberFields />
        <Toasts />
      </MantineProvider>
    </QueryClientProvider>
  );
}
