import { describeApi } from './api.ts'
import { listDecisions } from './decisions.ts'
import { readRepositoryFile } from './repository.ts'
import { describeSettings } from './settings.ts'

/** What the site shows as one page. */
export interface Page {
  /** Below the root of the site, without `.html`. */
  path: string
  /** Below the root of the repository; links to it lead to the page. */
  source: string
  markdown: string
  /** In the menu, where the heading of the page is too long. */
  label?: string
}

export interface Chapter {
  title: string
  pages: Page[]
}

const automation = ['access-tokens', 'command-line', 'from-scripts', 'webhooks']

/** The menu of the site, and the order in which it is read. */
export function listChapters(): Chapter[] {
  const { operations, groups, schemas } = describeApi()
  return [
    { title: 'Start', pages: [guide('index', 'What Floe is'), guide('first-steps')] },
    {
      title: 'Install',
      pages: [
        guide('install/node', 'Node.js'),
        guide('install/tarball', 'Tarball'),
        guide('install/systemd', 'Debian and Proxmox'),
        guide('install/container', 'One container'),
        guide('install/compose', 'Compose'),
        guide('install/kubernetes'),
        guide('install/reverse-proxies'),
        guide('install/from-pingvin-share'),
        guide('install/from-palmr-or-gokapi'),
        guide('install/stores', 'App stores'),
      ],
    },
    {
      title: 'Use',
      pages: [
        guide('use/send'),
        guide('use/receive'),
        guide('use/reverse-shares'),
        guide('use/shares'),
        guide('use/account'),
        guide('use/keyboard'),
      ],
    },
    {
      title: 'Administer',
      pages: [
        guide('administer/configuration'),
        { ...describeSettings(), label: 'All settings' },
        guide('administer/environment', 'Environment variables'),
        guide('administer/users'),
        guide('administer/email'),
        guide('administer/social-login'),
        guide('administer/ldap'),
        guide('administer/antivirus'),
        guide('administer/privacy'),
        guide('administer/limits'),
        guide('administer/audit'),
      ],
    },
    {
      title: 'Operate',
      pages: [
        guide('operate/backup'),
        guide('operate/export'),
        guide('operate/integrity'),
        guide('operate/upgrade'),
        guide('operate/s3', 'S3'),
        guide('operate/scaling'),
        guide('operate/monitoring'),
        guide('operate/security'),
        guide('operate/demo'),
        guide('operate/troubleshooting'),
      ],
    },
    { title: 'Automate', pages: automation.map((name) => guide(`automation/${name}`)) },
    { title: 'API', pages: [guide('api', 'Using the API'), operations, ...groups, schemas] },
    {
      title: 'Project',
      pages: [
        guide('benchmarks'),
        file('contributing', 'CONTRIBUTING.md'),
        guide('architecture'),
        guide('security', 'Security requirements'),
        guide('glossary'),
        guide('languages'),
        listDecisions(),
        file('security-policy', 'SECURITY.md'),
        file('changelog', 'CHANGELOG.md'),
      ],
    },
  ]
}

function guide(path: string, label?: string): Page {
  return file(path, `docs/${path}.md`, label)
}

function file(path: string, source: string, label?: string): Page {
  return { path, source, markdown: readRepositoryFile(source), ...(label && { label }) }
}
