import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queries } from '#/api/queries';
import { theme, variables } from './theme';

const scheme = localStorageColorSchemeManager({ key: 'larder:scheme' });

/** The server's word for this one answer that our style elements may stand in the page. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

// The scroll lock under dialogs adds a style element of its own and looks for the nonce here.
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
        <Notifications
          position="bottom-right"
          autoClose={1800}
          transitionDuration={120}
          containerWidth={360}
          limit={4}
        />
      </MantineProvider>
    </QueryClientProvider>
  );
}
