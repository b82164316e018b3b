import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { offlineShell } from './scripts/offlineShell.ts';

const server = process.env.LARDER_API ?? 'http://127.0.0.1:8080';

// Libraries but for those of charts, which only some pages fetch, after themselves.
const SHARED = /[\\/]node_modules[\\/](?!.*(?:recharts|victory|d3-|@mantine[\\/]charts))/;
const ENGINES = /[\\/]src[\\/](?:ui|api|form|table|lists|history)[\\/]/;
// What the same pages need lies in one file, small ones with their neighbours.
const TOGETHER = { minShareCount: 3, entriesAware: true, entriesAwareMergeThreshold: 20_000 };
/** A shared file is named after all that need it: its kind is enough. */
const short = (name: string) => (name.split('~')[0] ?? name).replace(/\.[^.]*$/, '');

export default defineConfig({
  plugins: [
    react(),
    offlineShell({
      worker: fileURLToPath(new URL('./src/offline/worker.ts', import.meta.url)),
      needs: [
        'src/app/shell/Shell.tsx',
        'src/app/store-count/',
        'src/app/branch-ops/',
        'src/features/branch-ops/',
        'src/app/signed-out/ModeSelect',
        'src/app/SignOutDialog',
        'src/features/stores/count/',
        'src/features/commissary/stock-takes/id/',
      ],
      files: ['/favicon.svg', '/scheme.js'],
    }),
  ],
  resolve: { alias: { '#': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': server, '/v1': server, '/v2': server, '/session': server },
  },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // Nothing may become a data: address: the content security policy only knows 'self'.
    assetsInlineLimit: 0,
    target: 'es2023',
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${short(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${short(names[0] ?? 'file')}-[hash][extname]`,
        // Files that several pages share may need each other; whichever of them comes first must not decide.
        strictExecutionOrder: true,
        codeSplitting: {
          // A page asks for a handful of files instead of a hundred: each one costs a turn on one of six connections.
          groups: [
            { name: 'first', tags: ['$initial'], priority: 4 },
            { name: 'icons', test: /[\\/]@tabler[\\/]/, minShareCount: 2, priority: 3 },
            { name: 'parts', test: SHARED, ...TOGETHER, priority: 2 },
            { name: 'engine', test: ENGINES, ...TOGETHER, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    // One page a worker and a fresh world in it for each file: making a page anew took two thirds of the time.
    pool: 'vmThreads',
    maxWorkers: availableParallelism(),
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
  },
});
