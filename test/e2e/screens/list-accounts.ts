import type { Finding, HostSetting } from '../../../shared/api/diagnostics.ts'
import { NOW } from './sample.ts'
import { button, dialog, open, quiet, type Stage, textOf } from './stage.ts'

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile/15E148 Safari/604',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537 Chrome/150.0 Safari/537',
]

const SESSIONS = AGENTS.map((agent, index) => ({
  id: String(index),
  current: index === 0,
  created: new Date(NOW.getTime() - 9 * 86_400_000).toISOString(),
  seen: new Date(NOW.getTime() - index * 7_200_000).toISOString(),
  address: `192.0.2.${17 + index}`,
  agent,
}))

const FINDINGS: readonly Finding[] = [
  { code: 'cameByStranger', what: '192.0.2.1', lines: ['filigree --trustedProxies 192.0.2.1'] },
  { code: 'cookieSent' },
  { code: 'folderFull', what: '/srv/files', amount: 812_000_000 },
  { code: 'databaseSound', what: '/var/lib/filigree/filigree.db' },
  { code: 'heldByHandles' },
  { code: 'watchesMany', amount: 524_288 },
  { code: 'picturesMade' },
  { code: 'videosMissing', lines: ['apt-get install ffmpeg'] },
  { code: 'programsBoxed' },
]

const MODES = ['auto', 'always', 'scheduled', 'off']

const HOST_ONLY_SETTINGS: readonly HostSetting[] = [
  { name: 'root', text: '/srv/files', from: 'flag', host: 'place' },
  {
    name: 'database',
    text: '/var/lib/filigree/filigree.db',
    from: 'file',
    where: '/etc/filigree/settings.yaml',
    host: 'place',
  },
  { name: 'port', text: '8080', from: 'default', host: 'way' },
  { name: 'baseURL', text: '/files', from: 'database', host: 'way' },
  { name: 'adminPassword', from: 'variable', where: 'FILIGREE_ADMIN_PASSWORD_FILE', host: 'first' },
  { name: 'disableExec', text: 'true', from: 'default', host: 'power' },
  { name: 'auditDays', text: '365', from: 'default', host: 'guard' },
  { name: 'imageProcessors', text: '4', from: 'default', default: '4', kept: '2' },
  { name: 'nameIndex', text: 'always', from: 'database', default: 'auto', kept: 'always', words: MODES },
  { name: 'contentIndexBytes', text: '1073741824', from: 'default', default: '1073741824' },
  {
    name: 'tokenExpirationTime',
    text: '30m',
    from: 'file',
    where: '/etc/filigree/settings.yaml',
    default: '2h',
  },
  { name: 'disableThumbnails', text: 'false', from: 'default', default: 'false', words: ['false', 'true'] },
]

const AUDIT_ROWS = [
  { action: 'download', outcome: 'done', way: 'session', username: 'mira', path: '/Budget 2026.xlsx', target: '' },
  { action: 'share.open', outcome: 'done', way: 'share', username: '', path: '/Boat house', target: 'a8Kd3xQz' },
  {
    action: 'move',
    outcome: 'exists',
    way: 'session',
    username: 'mira',
    path: '/Notes.md',
    target: '/Boat house/Notes.md',
  },
  { action: 'login', outcome: 'wrong_credentials', way: 'session', username: 'jonas', path: '', target: '' },
  { action: 'user.change', outcome: 'done', way: 'console', username: 'root', path: '', target: 'jonas' },
  { action: 'delete', outcome: 'forbidden', way: 'token', username: 'jonas', path: '/Contracts', target: '' },
].map((row, index) => ({
  ...row,
  id: 60 - index,
  userID: 1,
  time: new Date(NOW.getTime() - index * 3_700_000).toISOString(),
  address: row.way === 'console' ? '' : `192.0.2.${17 + index}`,
  hash: '',
}))

async function openHealth(stage: Stage): Promise<void> {
  await stage.page.route('**/api/doctor', route => route.fulfill({ json: FINDINGS }))
  await stage.page.route('**/api/doctor/settings', route => route.fulfill({ json: HOST_ONLY_SETTINGS }))
  // The clock of the page is frozen.
  const time = { Date: NOW.toUTCString() }
  await stage.page.route('**/health', route => route.fulfill({ body: '{"status":"OK"}', headers: time }))
  await open(stage, '/settings/diagnostics')
  await stage.page.getByText('FILIGREE_ADMIN_PASSWORD_FILE').waitFor()
  await button(stage, 'diagnostics.again').waitFor()
}

/** Coming in, settings, users, and pages of errors. */
export const ACCOUNT_SCREENS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  login: stage => open(stage, '/login'),
  'login-wrong': async stage => {
    await open(stage, '/login')
    await stage.page.locator('input[name=username], input[autocomplete=username]').fill('mira')
    await stage.page.locator('input[type=password]').first().fill('guess')
    await stage.page.keyboard.press('Enter')
    await stage.page.getByRole('alert').first().waitFor()
    await quiet(stage)
  },
  'sign-up': stage => open(stage, '/login?signup'),
  connect: stage => open(stage, '/settings/connect'),
  profile: stage => open(stage, '/settings/profile'),
  'profile-password': async stage => {
    await stage.page.route('**/api/sessions', route => route.fulfill({ json: SESSIONS }))
    await open(stage, '/settings/security')
    await stage.page.getByLabel(textOf(stage, 'settings.newPassword'), { exact: true }).fill('copper anvil drifts')
    const again = stage.page.getByLabel(textOf(stage, 'settings.newPasswordAgain'), { exact: true })
    await again.fill('copper anvil')
    await again.evaluate(node => node.scrollIntoView({ block: 'center' }))
  },
  'profile-sessions': async stage => {
    await stage.page.route('**/api/sessions', route => route.fulfill({ json: SESSIONS }))
    await open(stage, '/settings/security')
    const card = stage.page.getByRole('heading', { name: textOf(stage, 'settings.sessions') })
    await card.evaluate(node => node.scrollIntoView({ block: 'start' }))
  },
  audit: async stage => {
    await stage.page.route('**/api/audit?*', route => route.fulfill({ json: { rows: AUDIT_ROWS, more: true } }))
    await stage.page.route('**/api/audit', route => route.fulfill({ json: { rows: AUDIT_ROWS, more: true } }))
    await open(stage, '/settings/audit')
    await stage.page.getByRole('listitem').filter({ hasText: 'Budget 2026' }).first().waitFor()
  },
  shares: stage => open(stage, '/settings/shares'),
  'shares-empty': async stage => {
    await stage.page.route('**/api/shares', route => route.fulfill({ json: [] }))
    await open(stage, '/settings/shares')
  },
  global: stage => open(stage, '/settings/global'),
  'global-rules': async stage => {
    await open(stage, '/settings/global')
    await button(stage, 'rules.add').first().scrollIntoViewIfNeeded()
    await stage.page.getByLabel(textOf(stage, 'rules.try')).first().fill('/Private/Diary.md')
    await button(stage, 'rules.add').first().click()
  },
  'global-defaults': async stage => {
    await open(stage, '/settings/global')
    await stage.page.getByText(textOf(stage, 'settings.defaultsText')).scrollIntoViewIfNeeded()
    await stage.page
      .getByText(textOf(stage, 'settings.defaultsText'))
      .evaluate(node => node.scrollIntoView({ block: 'start' }))
  },
  'global-commands': async stage => {
    await open(stage, '/settings/global')
    await stage.page
      .getByText(textOf(stage, 'settings.commandRunnerText'))
      .evaluate(node => node.scrollIntoView({ block: 'start' }))
  },
  health: openHealth,
  'health-settings': async stage => {
    await openHealth(stage)
    await stage.page.getByText(textOf(stage, 'diagnostics.settings')).evaluate(node => node.scrollIntoView())
  },
  'health-host': async stage => {
    await openHealth(stage)
    await stage.page.getByText(textOf(stage, 'diagnostics.onlyHost')).evaluate(node => node.scrollIntoView())
  },
  'health-change': async stage => {
    await openHealth(stage)
    await stage.page.getByRole('button', { name: /imageProcessors/ }).click()
    await dialog(stage).waitFor()
  },
  users: stage => open(stage, '/settings/users'),
  'user-new': stage => open(stage, '/settings/users/new'),
  'user-missing': async stage => {
    await open(stage, '/settings/users/new')
    await button(stage, 'users.create').click()
    await stage.page.getByRole('alert').first().waitFor()
  },
  'user-admin': stage => open(stage, '/settings/users/1'),
  'user-delete': async stage => {
    await open(stage, '/settings/users/3')
    await button(stage, 'actions.delete').last().click()
    await dialog(stage).waitFor()
  },
  discard: async stage => {
    await open(stage, '/settings/users/3')
    await stage.page.getByLabel(textOf(stage, 'fields.scope'), { exact: true }).fill('/other')
    await stage.page.getByRole('link', { name: textOf(stage, 'settings.tabProfile') }).click()
    await dialog(stage).waitFor()
  },
  'error-403': stage => open(stage, '/403'),
  'error-404': stage => open(stage, '/404'),
  'error-500': stage => open(stage, '/500'),
  api: stage => open(stage, '/docs/api'),
}
