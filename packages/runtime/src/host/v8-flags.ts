/**
 * What V8 is told wherever Floe runs. `package.json` and the Dockerfile repeat it, as they can import
 * nothing.
 *
 * - `--no-memory-reducer`: the pauses between small upload requests look like idleness, and
 *   compacting the heap in each can cost a third of the CPU.
 * - `--max-semi-space-size` (MB): what requests leave behind dies young, and bytes are not on the
 *   heap, so a small nursery loses nothing and saves tens of megabytes.
 * - `--initial-heap-size` (MB): the heap is not collected as a whole before it is that large. Node
 *   reads request bodies into buffers that V8 counts as part of the heap until its next collection
 *   of the nursery, up to 32 MB of them. A heap of 30 MB that is allowed to double is then taken for
 *   full, and marked from end to end, some sixteen times for each GiB: more than half of what an
 *   upload costs.
 */
export const v8Flags = ['--no-memory-reducer', '--max-semi-space-size=4', '--initial-heap-size=96']
