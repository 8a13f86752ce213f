const reactModules = /\/node_modules\/(?:react|react-dom|scheduler)\//
const baseModules =
  /\/node_modules\/(?:react-router|@tanstack\/(?:query-core|react-query)|i18next|react-i18next|use-sync-external-store|clsx)\/|\/web\/src\/app\/query-client\.ts$/

const frameComponents =
  'ActionIcon|Burger|Button|Group|Loader|Skeleton|Stack|Transition|UnstyledButton|VisuallyHidden'

/** What schemas are made of, and the smallest ones made of it. */
const schemaModules =
  /\/node_modules\/zod\/|\/web\/src\/shared\/api\/(?:access-token|without-eval)\.ts$/

/** What the page of a share takes of the contracts, and how it tells a refusal. */
const contractModules =
  /\/packages\/contracts\/src\/(?:duration|format-size|http|identity|names|paging|placeholder-url|previews|shares|visible-name)\.ts$|\/web\/src\/shared\/api\/api-error\.ts$/

/** Small ones that the page of a share needs, and nearly every other page too. */
const frameModules = new RegExp(
  [
    String.raw`/web/src/shared/(?!boot|form-rules)[\w-]+\.ts$`,
    '/web/src/shared/(?:format|session)/',
    '/web/src/shared/api/(?:http-context|fetch-share|share-meta-data)',
    '/web/src/shared/upload/upload-desk',
    `/@mantine/core/esm/components/(?:${frameComponents})/`,
    '/@mantine/core/esm/core/.*/get-contrast-color',
    '/@mantine/hooks/esm/use-isomorphic-effect/',
    String.raw`/web/src/shared/components/(?:Page|PageTitle|PageLink|Panel|DeadEnd|FloeArt|RowButton|SiteLogo)\.`,
    '/icons-react/.*/createReactComponent',
    String.raw`/icons-react/.*/Icon(?:BrandGithub|Lock|Link|Download|Pencil|InfoCircle|Chevron\w+|File|Folder|Eye)\.`,
  ].join('|'),
)

/** The place for files lies under this little of what dialogs consist of. */
const overlayModules =
  /\/tslib\/|\/@mantine\/core\/esm\/(?:components\/(?:Overlay|Portal)\/|core\/(?:utils\/(?:get-default-z-index|create-safe-context|is-element)|styles-api\/use-resolved-styles-api)\/)/

/** What is filled in, and what opens over a page: nearly always all of it together. */
const formModules =
  /\/@mantine\/(?:form|core\/esm\/components\/(?:Alert|CloseButton|Input|InputBase|PasswordInput|TextInput))\/|\/web\/src\/shared\/(?:api\/error-message|form-rules)|\/@mantine\/core\/styles\/(?:Alert|PasswordInput)\.layer\.css/
const dialogModules =
  /\/(?:@floating-ui|react-remove-scroll|@mantine\/core\/esm\/components\/(?:FocusTrap|Modal|ModalBase|ScrollArea))\/|\/web\/src\/shared\/components\/Dialog\.|\/@mantine\/core\/styles\/Modal(?:Base)?\.layer\.css/

/** A page is drawn once its style sheets are there: the smaller ones of choosing files travel as one. */
const uploadStyles =
  /\/(?:ChosenFiles|FileDrop|LinkLimits|UploadHead|StorageLeft|UnfinishedUploads|VirtualRows)\.module\.css|\/@mantine\/(?:dropzone\/styles|core\/styles\/(?:LoadingOverlay|Progress))\.layer\.css/

/** What the pages around signing in have in common. */
const authModules = /\/web\/src\/(?:features\/auth\/(?!pages\/)|shared\/social\/)/

/** What every page needs travels in few pieces: they compress better than many small ones. */
export const chunkGroups = [
  // The entry needs it at once, and nothing else.
  {
    name: 'preload',
    test: /vite\/preload-helper|\/packages\/contracts\/src\/pages\.ts$/,
    priority: 1,
  },
  { name: 'react', test: reactModules },
  { name: 'schemas', test: schemaModules },
  { name: 'contracts', test: contractModules },
  { name: 'base', test: baseModules },
  { name: 'frame', test: frameModules },
  { name: 'overlay', test: overlayModules },
  { name: 'form', test: formModules },
  { name: 'dialog', test: dialogModules },
  { name: 'auth', test: authModules },
  { name: 'upload-styles', test: uploadStyles },
]
