/** Whether this is the run before a release, `npm run test:full`, which leaves nothing out. */
export const isFullRun = process.env['FLOE_TEST_FULL'] === 'yes'
