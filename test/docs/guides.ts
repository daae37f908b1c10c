import { blocksIn, type Instead } from './follow.ts'

/** A document whose commands are run from the first to the last. */
export interface Guide {
  guide: string
  /** Files that must exist before. */
  files?: Readonly<Record<string, string>>
  before?: readonly (readonly string[])[]
  /** A server runs at the same time, at the URL that the guide names. */
  running?: true
  /** A real provider and a real directory, `home` and `corp`, are in the configuration. */
  identities?: true
  /** The folder is one of a clone. */
  clone?: true
  instead?: Instead
  /** Blocks that are not run here, by their beginning: the test that runs them, or why none does. */
  except?: Readonly<Record<string, string>>
}

/** The programs of docs/automation.md, by their files. */
export function automationPrograms(): Readonly<Record<string, string>> {
  const names = ['filigree_api.py', 'scan.py', 'convert.py', 'sort.py', 'publish.py', 'receiver.py']
  const programs = blocksIn('docs/automation.md', 'python')
  return Object.fromEntries(names.map((name, index) => [name, programs[index] ?? '']))
}

const SET_UP = [
  ['config', 'init'],
  ['users', 'add', 'admin', 'a-long-enough-passphrase', '--perm.admin'],
] as const

const RELEASE = 'test/docs/release.slow.ts'
const IMAGE = 'npm run test:image builds the image and runs it, without a registry.'
const NAMES_ONLY = 'These take hours; it is tried that each is a script of this project.'

/** Every document with commands in it. */
export const GUIDES: readonly Guide[] = [
  {
    guide: 'README.md',
    clone: true,
    instead: [
      ['/path/to/your/files', '"$HOME"/srv'],
      ['/usr/local/bin/filigree', '"$HOME"/filigree'],
      ['--port 9000', '--port 0'],
    ],
    except: {
      'npm test': 'What follows the guides is a part of it.',
      'npm run demo': 'test/demo/demo.test.ts',
      'docker build': IMAGE,
      'docker run': IMAGE,
    },
  },
  { guide: 'CONTRIBUTING.md', except: { 'npm start  ': NAMES_ONLY } },
  {
    guide: 'docs/install.md',
    clone: true,
    except: {
      'tar -xzf': RELEASE,
      'filigree/bin/filigree': RELEASE,
      'npm install --global': RELEASE,
      'filigree --root': RELEASE,
      'apt install ./filigree': 'npm run test:deb does it in a Debian of its own.',
      'useradd ': 'It changes the machine, and needs systemd; it is tried by hand.',
      'docker build': IMAGE,
      'docker run': IMAGE,
      'helm install': 'It needs a cluster; test/integration/deploy-chart.test.ts renders what it would apply.',
    },
  },
  { guide: 'docs/adopt.md', files: { 'files/public/readme.md': 'read me' } },
  {
    guide: 'docs/backup.md',
    before: [
      ['config', 'init'],
      ['backup', 'filigree.db.before-0011-share-tokens'],
    ],
  },
  { guide: 'docs/configuration.md', files: { '.filigree.yaml': 'root: ./files\nport: 0\nbaseURL: /files\n' } },
  {
    guide: 'docs/groups.md',
    files: { 'srv/a.txt': 'alpha' },
    before: [...SET_UP, ...['ann', 'ben'].map(name => ['users', 'add', name, 'copper-anvil-drifts-9'])],
  },
  {
    guide: 'docs/quotas.md',
    files: { 'srv/a.txt': 'alpha' },
    before: [...SET_UP, ['users', 'add', 'ann', 'copper-anvil-drifts-9'], ['groups', 'add', 'staff']],
    except: { 'filigree quotas set root:media': 'test/cli/quotas.test.ts' },
  },
  { guide: 'docs/users.md', files: { 'srv/a.txt': 'alpha' }, before: SET_UP },
  {
    guide: 'docs/reverse-proxy.md',
    files: { 'files/a.txt': 'alpha' },
    except: {
      'filigree doctor --url https://files.example.org/filigree\n': 'test/proxies/proxies.test.ts',
      'filigree doctor --url https://files.example.org/filigree --token': 'test/proxies/waits.slow.ts',
    },
  },
  { guide: 'docs/troubleshooting.md', files: { 'srv/a.txt': 'alpha' }, before: SET_UP },
  { guide: 'docs/sharing.md', files: { 'srv/report.pdf': 'a report' }, running: true },
  {
    guide: 'docs/roots.md',
    except: {
      'filigree roots': 'test/integration/roots.test.ts',
      'filigree mounts': 'test/integration/roots.test.ts',
    },
  },
  { guide: 'docs/api-tokens.md', running: true },
  {
    guide: 'docs/two-factor.md',
    except: {
      'curl -sf': 'test/api/factors.test.ts',
      'filigree users factors': 'test/cli/factors.test.ts',
      FILIGREE_SECRET_KEY_FILE: 'server/features/factors/factors.test.ts',
    },
  },
  { guide: 'docs/webhooks.md', except: { 'filigree --webhookNetworks': 'test/integration/webhooks.test.ts' } },
  { guide: 'docs/office.md', except: { 'filigree --publicURL': 'test/integration/wopi-open.test.ts' } },
  {
    guide: 'docs/mail.md',
    except: {
      FILIGREE_MAIL_PASSWORD_FILE: 'test/cli/mail.test.ts',
      'filigree mail test': 'test/cli/mail.test.ts',
      'filigree users reset-password': 'test/cli/reset-password.test.ts',
    },
  },
  { guide: 'docs/monitoring.md', except: { 'promtool check': 'test/integration/monitoring.test.ts' } },
  { guide: 'docs/webdav.md', except: { 'rclone config': 'test/integration/dav-rclone.test.ts' } },
  { guide: 'docs/branding.md', files: { 'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' }, before: SET_UP },
  {
    guide: 'docs/recipes.md',
    files: {
      'report.pdf': 'a report',
      'disk.img': 'an image of a disk',
      'backup.py': blocksIn('docs/recipes.md', 'python').join(''),
    },
    running: true,
    except: { 'mkdir -p srv/files': 'test/integration/syncthing.test.ts' },
  },
  {
    guide: 'docs/automation.md',
    files: {
      'scan.txt': 'a virus',
      'table.csv': 'name,town\nAnn,Bern\n',
      ...automationPrograms(),
    },
    running: true,
    // A scanner of this machine: it ends with 1 for files with a line without a comma.
    instead: [['clamscan --no-summary', 'grep -q ,']],
    except: {
      'export FILIGREE_URL=http://127.0.0.1:8080 FILIGREE_TOKEN=$(cat token)\nSECRET':
        'test/integration/automation.test.ts',
    },
  },
  { guide: 'docs/api.md', files: { 'report.pdf': 'a report' }, running: true },
  {
    guide: 'docs/scaling.md',
    except: {
      'PGPASSWORD=… filigree --database': 'test/scale/guide.test.ts',
      'PGPASSWORD=… filigree migrate-store': 'test/scale/guide.test.ts',
      'AWS_ACCESS_KEY_ID=…': 'test/scale/s3-server.slow.ts',
    },
  },
  { guide: 'docs/performance.md', except: { 'npm run bench': NAMES_ONLY } },
  {
    guide: 'docs/sign-in.md',
    before: [...SET_UP, ...['ann', 'ben'].map(name => ['users', 'add', name, 'copper-anvil-drifts-9'])],
    instead: [['FIXED-ID', 'ann']],
    identities: true,
  },
]
