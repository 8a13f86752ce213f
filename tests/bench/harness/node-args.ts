/** How Node runs TypeScript of this repository without a build. */
export const sourceNodeArgs = ['--conditions=source', '--import', 'tsx']
