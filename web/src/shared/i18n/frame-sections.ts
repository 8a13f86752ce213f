/**
 * The parts of a catalogue that the frame and the page of a share speak with. Visitors load these
 * alone; every other page has the rest loaded beside it.
 */
export const frameSections: readonly string[] = ['common', 'nav', 'errors', 'share', 'notFound']
