import { fetched } from './calm.ts'
import {
  button,
  command,
  inView,
  nameField,
  open,
  openByKey,
  openFolder,
  quiet,
  row,
  type Stage,
  select,
  textOf,
} from './stage.ts'

/** The folder view, its states and what opens from it. */
export const FILE_SCREENS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'files-list': stage => openFolder(stage),
  'files-selection': async stage => {
    await openFolder(stage)
    await select(stage, 'Annual report', 'Coast walk.webm', 'Harbour at dawn', 'Minutes of')
  },
  'files-cut': async stage => {
    await openFolder(stage)
    await select(stage, 'Annual report', 'Boat house')
    await stage.page.keyboard.press('Control+x')
    await stage.page.keyboard.press('Escape')
    await stage.page.getByRole('region', { name: textOf(stage, 'actions.paste') }).waitFor()
  },
  'files-mosaic': async stage => {
    await openFolder(stage, '/Coast walk')
    await inView(stage, 2)
    await addImages(stage)
    await select(stage, '02 Above')
  },
  'files-gallery': async stage => {
    await openFolder(stage, '/Coast walk')
    await inView(stage, 3)
    await addImages(stage)
  },
  'files-empty': stage => openFolder(stage, '/Workshop'),
  'files-loading': async stage => {
    await stage.page.route('**/api/resources/', () => undefined)
    await stage.page.goto(`${stage.url}/files/`)
    await stage.page.locator('#loading').waitFor({ state: 'detached' })
    await stage.page.getByRole('status').first().waitFor()
  },
  'files-late': async stage => {
    await stage.page.route('**/api/resources/', () => undefined)
    await stage.page.goto(`${stage.url}/files/`)
    await stage.page.getByRole('status').first().waitFor()
    await stage.page.clock.fastForward(11_000)
    await button(stage, 'common.retry').waitFor()
  },
  'files-failed': async stage => {
    const headers = { 'X-Request-Id': '3f9a12c4' }
    await stage.page.route('**/api/resources/', route => route.fulfill({ status: 500, headers, body: '500' }))
    await open(stage, '/files/')
  },
  'files-missing': stage => open(stage, '/files/Nowhere/'),
  'files-offline': async stage => {
    await openFolder(stage)
    await stage.page.route('**/api/**', route => route.abort())
    await openByKey(stage, 'Control+k')
    await stage.page.keyboard.type(textOf(stage, 'actions.refresh'))
    await stage.page.keyboard.press('Enter')
    await stage.page.getByText(textOf(stage, 'files.offline')).waitFor()
  },
  'files-filter': async stage => {
    await openFolder(stage)
    await stage.page.keyboard.press('/')
    await stage.page.keyboard.type('re')
  },
  'files-filter-nothing': async stage => {
    await openFolder(stage)
    await stage.page.keyboard.press('/')
    await stage.page.keyboard.type('holiday')
  },
  'menu-item': async stage => {
    await openFolder(stage)
    await row(stage, 'Harbour at dawn').click({ button: 'right', position: { x: 160, y: 16 } })
    await stage.page.getByRole('menu').waitFor()
  },
  'menu-folder': async stage => {
    await openFolder(stage, '/Boat house')
    const box = await stage.page.getByRole('grid').boundingBox()
    await stage.page.mouse.click((box?.x ?? 0) + 120, (box?.y ?? 0) + 300, { button: 'right' })
    await stage.page.getByRole('menu').waitFor()
    await stage.page.getByRole('menuitem').and(stage.page.locator('[aria-haspopup]')).last().click()
  },
  'menu-new': async stage => {
    await openFolder(stage)
    await button(stage, 'nav.new').click()
    await stage.page.getByRole('menu').waitFor()
  },
  'menu-account': async stage => {
    await openFolder(stage)
    await stage.page.locator('header button[aria-haspopup=menu]').last().click()
    await stage.page.getByRole('menu').waitFor()
  },
  'menu-language': async stage => {
    await openFolder(stage)
    await stage.page.locator('header button[aria-haspopup=menu]').last().click()
    await stage.page.getByRole('menuitem', { name: textOf(stage, 'fields.language') }).click()
    await stage.page.getByRole('menuitemradio', { name: 'Deutsch' }).waitFor()
  },
  sidebar: async stage => {
    await openFolder(stage)
    if (stage.phone) await button(stage, 'nav.toggleSidebar').click()
    else await stage.page.locator('header button[aria-expanded]').first().click()
  },
  details: async stage => {
    await openFolder(stage)
    await select(stage, 'Harbour at dawn')
    await stage.page.keyboard.press('Control+i')
    await stage.page.getByText(textOf(stage, 'preview.pixels')).waitFor()
    await addImages(stage)
  },
  'details-links': async stage => {
    await openFolder(stage)
    await select(stage, 'Boat house')
    await stage.page.keyboard.press('Control+i')
    await button(stage, 'shares.copy').first().waitFor()
  },
  'details-several': async stage => {
    await openFolder(stage, '/Coast walk')
    await stage.page.keyboard.press('Control+a')
    await stage.page.keyboard.press('Control+i')
    await stage.page.getByText(textOf(stage, 'details.count'), { exact: true }).waitFor()
  },
  'undo-notice': async stage => {
    await openFolder(stage)
    await stage.page.route('**/api/resources/**', async route => {
      if (route.request().method() === 'PATCH') return route.fulfill({ status: 200, headers: { 'X-Change': 'shown' } })
      const response = await fetched(route, stage.origin)
      await route.fulfill({ response, body: (await response.text()).replaceAll('Budget 2026', 'Budget 2027') })
    })
    await renameBudget(stage)
    await stage.page.locator('[role=row]', { hasText: 'Budget 2027' }).waitFor()
    await button(stage, 'undo.undo').waitFor()
  },
  'drop-files': async stage => {
    await openFolder(stage)
    const session = await stage.page.context().newCDPSession(stage.page)
    const data = { items: [], files: [new URL(import.meta.url).pathname], dragOperationsMask: 1 }
    const at = stage.phone ? { x: 200, y: 400 } : { x: 700, y: 420 }
    await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at, data })
    await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at, data })
  },
  'drag-items': async stage => {
    await openFolder(stage)
    await select(stage, 'Annual report', 'Budget 2026')
    // Fingers drag nothing.
    if (stage.phone) return
    const from = await row(stage, 'Annual report').boundingBox()
    const to = await row(stage, 'Contracts').boundingBox()
    await stage.page.mouse.move((from?.x ?? 0) + 120, (from?.y ?? 0) + 16)
    await stage.page.mouse.down()
    await stage.page.mouse.move((to?.x ?? 0) + 130, (to?.y ?? 0) + 10, { steps: 8 })
    await stage.page.mouse.move((to?.x ?? 0) + 140, (to?.y ?? 0) + 16, { steps: 4 })
    await stage.page.locator('[data-drop-over]').waitFor()
  },
  'rubber-band': async stage => {
    await openFolder(stage)
    const first = await row(stage, 'Annual report').boundingBox()
    const last = await row(stage, 'Interview').boundingBox()
    const edge = (first?.x ?? 0) + (first?.width ?? 0)
    await stage.page.mouse.move(edge - 260, (first?.y ?? 0) + 8)
    await stage.page.mouse.down()
    await stage.page.mouse.move(edge - 420, (last?.y ?? 0) + 20, { steps: 8 })
  },
  search: async stage => {
    await openFolder(stage)
    await stage.page.keyboard.press('Control+f')
    await stage.page.keyboard.type('the')
    await stage.page.keyboard.press('Enter')
    await stage.page.locator('[role=row]', { hasText: 'The long beach' }).waitFor()
    await quiet(stage)
  },
  'search-nothing': async stage => {
    await openFolder(stage, '/Boat house')
    await stage.page.keyboard.press('Control+f')
    await stage.page.keyboard.type('holiday')
    await stage.page.keyboard.press('Enter')
    await button(stage, 'search.everywhere').waitFor()
  },
  shell: async stage => {
    await openFolder(stage, '/Boat house')
    await button(stage, 'nav.terminal').click()
    const input = stage.page.locator('form input[dir=ltr]')
    for (const line of ['ls -l', 'wc Notes.md', 'cat missing.txt']) {
      await input.fill(line)
      await input.press('Enter')
      await stage.page.getByText(textOf(stage, 'terminal.stop'), { exact: true }).waitFor({ state: 'detached' })
      await input.waitFor()
    }
  },
  palette: async stage => {
    await openFolder(stage)
    await select(stage, 'Budget 2026')
    await openByKey(stage, 'Control+k')
  },
  help: async stage => {
    await openFolder(stage)
    await openByKey(stage, 'F1')
  },
  info: async stage => {
    await openFolder(stage)
    await command(stage, 'Coast walk.webm', 'actions.details')
    await stage.page.getByText(textOf(stage, 'details.checksums')).waitFor()
  },
}

/** Waits until all visible images are loaded. */
async function addImages({ page }: Stage): Promise<void> {
  await page.waitForFunction(() => [...document.images].every(image => image.complete), undefined, { timeout: 30_000 })
}

async function renameBudget(stage: Stage): Promise<void> {
  await select(stage, 'Budget 2026')
  await stage.page.keyboard.press('F2')
  await nameField(stage).fill('Budget 2027.xlsx')
  await stage.page.keyboard.press('Enter')
}
