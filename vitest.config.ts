import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** What is long and rarely broken is run before a release: `npm run test:full`. */
const exclude = [
  ...['**/node_modules/**', '**/dist/**'],
  ...(process.env['FLOE_TEST_FULL'] === 'yes' ? [] : ['**/full/**']),
]

const resolve = { conditions: ['source'] }
// The last one is where global setup files run.
const server = { resolve, ssr: { resolve }, environments: { __vitest__: { resolve } } }

const setupFiles = ['packages/testing/src/each-test-file.ts']

/** What tests in a browser have in common. */
const journeys = {
  setupFiles,
  globalSetup: ['tests/e2e/harness/shared-floes.ts'],
  provide: { isThorough: false },
  // `.ci/run` alone tries again, and names what needed it: a defect of the product or the test.
  retry: Number(process.env['FLOE_TEST_RETRY'] ?? 0),
  testTimeout: 300_000,
  hookTimeout: 120_000,
  // As long as the browser itself looks for what a test asks for.
  expect: { poll: { timeout: 20_000 } },
  // The files of a worker share its browser.
  isolate: false,
  maxWorkers: 3,
}

/** Chromium without windows around its pages: they are most of what opening a page costs. */
const headlessShell = '/usr/bin/chromium-headless-shell'
const chromiumPath =
  process.env['CHROMIUM_PATH'] ?? (existsSync(headlessShell) ? headlessShell : undefined)

export default defineConfig({
  test: {
    // A run of files from several projects takes one project after another.
    projects: [
      {
        ...server,
        test: {
          name: 'unit',
          setupFiles,
          include: [
            '{packages,services,bin,docs}/**/*.test.ts',
            'tests/{architecture,deploy}/**/*.test.ts',
          ],
          exclude: ['**/*.integration.test.ts', ...exclude],
          // Some read and write files, and the disk may be busy.
          testTimeout: 30_000,
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        ...server,
        test: {
          name: 'integration',
          setupFiles,
          sequence: { groupOrder: 1 },
          include: ['{packages,services,bin,tests/deploy}/**/*.integration.test.ts'],
          exclude,
          globalSetup: ['packages/testing/src/integration-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          isolate: false,
          maxWorkers: 3,
        },
      },
      {
        ...server,
        test: {
          name: 'acceptance',
          setupFiles,
          sequence: { groupOrder: 2 },
          include: ['tests/acceptance/**/*.test.ts'],
          exclude,
          globalSetup: ['tests/acceptance/world/start-arrangements.ts'],
          testTimeout: 120_000,
          // What a job does comes when the job does, which on a busy machine takes a while.
          expect: { poll: { timeout: 20_000 } },
          hookTimeout: 120_000,
          isolate: false,
          maxWorkers: 4,
        },
      },
      {
        ...server,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 3 },
          ...journeys,
          include: ['tests/e2e/*.test.ts'],
          env: { ...(chromiumPath && { CHROMIUM_PATH: chromiumPath }) },
        },
      },
      // What is long and rarely broken, and every case of what `e2e-split` tries with one of each kind.
      {
        ...server,
        test: {
          name: 'e2e-full',
          sequence: { groupOrder: 4 },
          ...journeys,
          include: ['tests/e2e/full/*.test.ts'],
          provide: { isThorough: true },
        },
      },
      // All of both on two processes of each service and MinIO, which takes much longer.
      {
        ...server,
        test: {
          name: 'e2e-split',
          sequence: { groupOrder: 5 },
          ...journeys,
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/harness/split-storage.ts', ...journeys.globalSetup],
        },
      },
      {
        ...server,
        test: {
          name: 'soak',
          setupFiles,
          sequence: { groupOrder: 6 },
          include: ['tests/soak/**/*.test.ts'],
          exclude,
          testTimeout: 1_800_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      // Containers of the images, built by podman: before a release, and in slices of their own.
      {
        ...server,
        test: {
          name: 'images',
          sequence: { groupOrder: 7 },
          include: ['tests/images/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      // What is released, made in a clean clone: in a slice of its own as well.
      {
        ...server,
        test: {
          name: 'release',
          sequence: { groupOrder: 8 },
          include: ['tests/release/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 1_200_000,
          fileParallelism: false,
        },
      },
      'web',
    ],
  },
})
