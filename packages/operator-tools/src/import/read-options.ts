import { parseArgs } from 'node:util'
import { StartError } from '@floe/db'
import { type Product, products } from '@floe/import'

const resolutions = ['skip', 'rename', 'replace'] as const
export type Resolution = (typeof resolutions)[number]

const transfers = ['copy', 'move', 'link'] as const
/** `link`: hard links, where the file system is the same. `move` deletes there what is here. */
type Transfer = (typeof transfers)[number]

/** Where several shares may have one file, which stays until the last of them came. */
const sharing: readonly Product[] = ['palmr', 'gokapi']

export interface ImportOptions {
  product: Product
  folder: string
  /** Their `config.yaml`; null for the one beside the data. */
  configPath: string | null
  transfer: Transfer
  /** Only tells what would come. */
  isDryRun: boolean
  /** Prints JSON alone. */
  isJson: boolean
  /** What happens to a name, an address or a link that is taken; null refuses the whole import. */
  onConflict: Resolution | null
}

const USAGE =
  'npm run import -- pingvin|palmr|gokapi|floe <folder> [--dry-run] [--json] [--config <file>] [--copy|--move|--link] [--on-conflict=skip|rename|replace]'

/** Fails with `StartError` for what is no such command. */
export function readOptions(): ImportOptions {
  const { values, positionals } = parse()
  const [product, folder, ...rest] = positionals
  if (!isProduct(product) || folder === undefined || rest.length > 0) {
    throw new StartError(`specify what to import: ${USAGE}`)
  }
  const onConflict = values['on-conflict'] ?? null
  if (onConflict !== null && !isResolution(onConflict)) {
    throw new StartError(`--on-conflict is ${resolutions.join(' or ')}, not ${onConflict}.`)
  }
  const [transfer = 'copy', another] = transfers.filter((name) => values[name])
  if (another) throw new StartError(`--${transfer} and --${another} are one too many.`)
  if (transfer === 'move' && sharing.includes(product)) {
    throw new StartError(
      '--move would delete files that another share has too; --link takes no space either.',
    )
  }
  return {
    product,
    folder,
    configPath: values.config ?? null,
    transfer,
    isDryRun: values['dry-run'],
    isJson: values.json,
    onConflict,
  }
}

function parse() {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'dry-run': flag,
        json: flag,
        copy: flag,
        move: flag,
        link: flag,
        config: { type: 'string' },
        'on-conflict': { type: 'string' },
      },
    })
  } catch (cause) {
    throw new StartError(`unknown option: ${USAGE}`, cause)
  }
}

function isResolution(value: string): value is Resolution {
  return resolutions.some((known) => known === value)
}

function isProduct(value: string | undefined): value is Product {
  return products.some((known) => known === value)
}
