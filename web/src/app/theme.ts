import type { MantineColorsTuple, MantineThemeOverride } from '@mantine/core'
import { between, translucent } from '@floe/contracts'

/** Sea ice, from the lit edge to the water under it. */
export const ice: MantineColorsTuple = [
  '#ecf7fb',
  '#d5ecf5',
  '#a9d8ea',
  '#7cc3de',
  '#58b0d2',
  '#2f93ba',
  '#1b7ea6',
  '#126689',
  '#0d5270',
  '#093f58',
]

const slate: MantineColorsTuple = [
  '#f6f9fa',
  '#ecf1f4',
  '#dde5ea',
  '#c8d3da',
  '#a9b8c2',
  '#84959f',
  '#5d6f7a',
  '#475863',
  '#33424c',
  '#1d2a33',
]

const night: MantineColorsTuple = [
  '#dde7ed',
  '#b9c7d0',
  '#97a8b4',
  '#728592',
  '#3d4f5b',
  '#2b3b46',
  '#1b2832',
  '#131e26',
  '#0e171e',
  '#091016',
]

const coral: MantineColorsTuple = [
  '#fff1ee',
  '#fcdfda',
  '#f6bab0',
  '#f19384',
  '#ec7562',
  '#dd5642',
  '#cb4430',
  '#b03824',
  '#932d1c',
  '#762416',
]

const moss: MantineColorsTuple = [
  '#edf9f3',
  '#d7f0e3',
  '#abe0c5',
  '#7dd0a6',
  '#57c28c',
  '#38a873',
  '#238a5c',
  '#1a7049',
  '#125a3a',
  '#0b462c',
]

const amber: MantineColorsTuple = [
  '#fff7e4',
  '#fdecc6',
  '#f8d88c',
  '#f2c34f',
  '#ecb020',
  '#cf9410',
  '#a87607',
  '#865d05',
  '#6b4a05',
  '#543a04',
]

/** What lies behind every page; also painted by the document before any script runs. */
export const canvas = { light: '#f3f7f9', dark: '#0e171e' }

export const theme: MantineThemeOverride = {
  colors: { ice, gray: slate, dark: night, red: coral, green: moss, yellow: amber },
  primaryColor: 'ice',
  primaryShade: { light: 7, dark: 6 },
  black: '#16222b',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '16px', xl: '24px' },
  fontFamily: "'Inter', 'Segoe UI', system-ui, -apple-system, 'Noto Sans', sans-serif",
  headings: { fontFamily: 'inherit', fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        transitionProps: { duration: 200 },
        overlayProps: { backgroundOpacity: 0.45, blur: 3 },
      },
      styles: {
        title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650, lineHeight: 1.3 },
      },
    },
    // It heads the dialog, not the page: no banner.
    ModalHeader: { defaultProps: { role: 'none' } },
    Paper: { defaultProps: { radius: 'lg' } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    // As high as a line beside it; capitals are no help in scripts that have none.
    Badge: {
      styles: {
        root: { fontSize: 'var(--mantine-font-size-xs)', fontWeight: 600, textTransform: 'none' },
      },
    },
    Switch: { defaultProps: { withThumbIndicator: false } },
  },
}

/** By scheme: the theme's own, and what it changes of Mantine's, in these shades. */
export const cssVariablesOf = (ice: MantineColorsTuple) => ({
  variables: { '--floe-header-height': '60px' },
  light: {
    '--floe-canvas': canvas.light,
    '--floe-surface': '#ffffff',
    '--floe-surface-raised': '#ffffff',
    '--floe-line': slate[2],
    '--floe-tint': ice[0],
    '--floe-accent': ice[7],
    '--floe-accent-soft': ice[1],
    '--floe-water': ice[2],
    '--floe-water-deep': ice[7],
    '--floe-ice': '#ffffff',
    '--floe-ice-shade': ice[1],
    '--floe-warm': amber[2],
    '--floe-chart-first': ice[7],
    '--floe-chart-second': amber[6],
    '--floe-shadow': '0 1px 2px rgb(9 63 88 / 6%), 0 8px 24px rgb(9 63 88 / 6%)',
    // Between two shades: on the darker one the texts would have too little contrast.
    '--mantine-color-ice-light-hover': between(ice[1], ice[2]),
    '--mantine-color-ice-light-color': ice[7],
    '--mantine-color-red-light-hover': '#fbd5ce',
    '--mantine-color-red-light-color': coral[7],
    '--mantine-color-dimmed': slate[6],
    '--mantine-color-anchor': ice[7],
    '--mantine-color-error': coral[7],
    '--mantine-color-success': moss[7],
    '--mantine-color-placeholder': slate[6],
    '--mantine-color-default-border': slate[3],
  },
  dark: {
    '--floe-canvas': canvas.dark,
    '--floe-surface': night[7],
    '--floe-surface-raised': night[6],
    '--floe-line': night[5],
    '--floe-tint': translucent(ice[3], 9),
    '--floe-accent': ice[3],
    '--floe-accent-soft': translucent(ice[3], 16),
    '--floe-water': ice[8],
    '--floe-water-deep': ice[9],
    '--floe-ice': ice[1],
    '--floe-ice-shade': ice[3],
    '--floe-warm': amber[4],
    '--floe-chart-first': ice[3],
    '--floe-chart-second': amber[4],
    '--floe-shadow': '0 1px 2px rgb(0 0 0 / 30%), 0 8px 24px rgb(0 0 0 / 24%)',
    '--mantine-color-ice-light': translucent(ice[3], 16),
    '--mantine-color-ice-light-hover': translucent(ice[3], 24),
    '--mantine-color-ice-light-color': ice[3],
    '--mantine-color-red-light': 'rgb(241 147 132 / 14%)',
    '--mantine-color-red-light-hover': 'rgb(241 147 132 / 22%)',
    '--mantine-color-red-light-color': coral[3],
    '--mantine-color-yellow-light': 'rgb(242 195 79 / 12%)',
    '--mantine-color-yellow-light-hover': 'rgb(242 195 79 / 20%)',
    '--mantine-color-yellow-light-color': amber[3],
    '--mantine-color-body': night[7],
    '--mantine-color-dimmed': night[2],
    '--mantine-color-anchor': ice[3],
    '--mantine-color-error': coral[3],
    '--mantine-color-success': moss[3],
    '--mantine-color-placeholder': night[2],
    '--mantine-color-default-border': night[4],
    '--mantine-color-default': night[6],
    '--mantine-color-default-hover': night[5],
  },
})
