import { button, open, openFolder, quiet, row, type Stage, textOf } from './stage.ts'

/** Edits a text without changing its headings. */
async function typeMore({ page }: Stage): Promise<void> {
  await page.keyboard.press('End')
  await page.keyboard.type(', a draft')
}

/** Viewers, the editor, and the pages of share links. */
export const OPENED_SCREENS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'preview-picture': async stage => {
    await open(stage, '/files/Coast%20walk/02%20Above%20the%20bay.jpg')
    await shown(stage)
    await stage.page.mouse.move(300, 300)
  },
  'preview-zoomed': async stage => {
    await open(stage, '/files/Coast%20walk/09%20The%20old%20quay.jpg')
    await shown(stage)
    for (let step = 0; step < 4; step++) await button(stage, 'actions.zoomIn').click()
  },
  'preview-details': async stage => {
    await open(stage, '/files/Coast%20walk/02%20Above%20the%20bay.jpg')
    await shown(stage)
    await stage.page.keyboard.press('i')
    await stage.page.locator('dl').last().waitFor()
    await quiet(stage)
  },
  'preview-broken': async stage => {
    await open(stage, '/files/Music/Choir/Rehearsal.mp3')
    await stage.page.locator('audio').waitFor({ state: 'detached' })
    await stage.page.getByText(textOf(stage, 'preview.mediaUnknown')).waitFor()
  },
  'preview-video': stage => playMedia(stage, '/files/Coast%20walk.webm'),
  'preview-audio': stage => playMedia(stage, `/files/${encodeURIComponent(INTERVIEW)}`),
  'preview-pdf': async stage => {
    await open(stage, '/files/Annual%20report%202025.pdf')
    await drawn(stage)
  },
  'preview-none': async stage => {
    await open(stage, '/files/Site%20plan.dwg')
    await stage.page.getByText(textOf(stage, 'preview.imageUnknown')).waitFor()
  },
  'view-archive': async stage => {
    await open(stage, '/files/Archive/2021/Old%20site.tar.gz')
    await stage.page.getByText('Coast walk').last().waitFor()
    await quiet(stage)
  },
  'view-book': stage => paper(stage, 'Harbour%20book.epub'),
  'view-letter': stage => paper(stage, 'Letter.docx'),
  'view-handbook': async stage => {
    await open(stage, '/files/Archive/2021/Handbook.pdf')
    await drawn(stage)
  },
  'view-workbook': async stage => {
    await open(stage, '/files/Archive/2021/Catch.xlsx')
    await stage.page.getByRole('grid').last().waitFor()
    await quiet(stage)
  },
  'view-text': async stage => {
    await open(stage, '/files/copy-photos.sh')
    await stage.page.getByRole('textbox').last().waitFor()
    await quiet(stage)
  },
  'view-markdown': async stage => {
    await open(stage, '/files/Minutes%20of%20the%20meeting.md')
    await stage.page.getByRole('table').waitFor()
    await quiet(stage)
  },
  editor: async stage => {
    await open(stage, '/files/Minutes%20of%20the%20meeting.md?as=text')
    await stage.page.getByRole('textbox').last().click()
    await stage.page.keyboard.press('Control+Home')
    await typeMore(stage)
  },
  'editor-find': async stage => {
    await open(stage, '/files/copy-photos.sh?as=text')
    await stage.page.getByRole('textbox').last().click()
    await stage.page.keyboard.press('Control+f')
    await stage.page.keyboard.type('count')
  },
  'editor-markdown': async stage => {
    await open(stage, '/files/Minutes%20of%20the%20meeting.md?as=text')
    await button(stage, 'fields.viewMode').last().click()
    await stage.page.getByRole('menuitemradio', { name: textOf(stage, 'editor.rendered') }).click()
    await stage.page.getByRole('table').waitFor()
  },
  'view-table': async stage => {
    await open(stage, '/files/Invoices/All.csv')
    await stage.page.getByRole('grid').last().waitFor()
    await quiet(stage)
  },
  'view-hex': async stage => {
    await open(stage, '/files/Harbour%20at%20dawn.jpg?as=hex')
    await stage.page.getByText('00000010').waitFor()
    await quiet(stage)
  },
  'editor-leave': async stage => {
    await openFolder(stage)
    await row(stage, 'Minutes of').dblclick({ position: { x: 120, y: 16 } })
    await button(stage, 'actions.edit').click()
    await stage.page.getByRole('textbox').last().click()
    await stage.page.keyboard.press('Control+Home')
    await typeMore(stage)
    await button(stage, 'actions.back').click()
    await stage.page.getByRole('alertdialog').or(stage.page.getByRole('dialog')).waitFor()
  },
  'editor-changed': async stage => {
    await open(stage, '/files/Minutes%20of%20the%20meeting.md?as=text')
    await stage.page.route('**/api/resources/**', route =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 412, body: '412 Precondition Failed' })
        : route.fallback(),
    )
    await stage.page.getByRole('textbox').last().click()
    await stage.page.keyboard.press('Control+Home')
    await typeMore(stage)
    await stage.page.keyboard.press('Control+s')
    await stage.page.getByRole('alertdialog').or(stage.page.getByRole('dialog')).waitFor()
  },
  'editor-error': async stage => {
    await open(stage, '/files/Minutes%20of%20the%20meeting.md?as=text')
    await stage.page.route('**/api/resources/**', route =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '500' }) : route.fallback(),
    )
    await stage.page.getByRole('textbox').last().click()
    await stage.page.keyboard.press('Control+Home')
    await typeMore(stage)
    await stage.page.keyboard.press('Control+s')
    await button(stage, 'common.close').waitFor()
  },
  'editor-draft': async stage => {
    await open(stage, '/files/copy-photos.sh?as=text')
    await stage.page.getByRole('textbox').last().click()
    await stage.page.keyboard.type('# tried on Sunday\n')
    await stage.page.waitForTimeout(2600)
    await stage.page.reload({ waitUntil: 'load' }).catch(() => undefined)
    await quiet(stage)
  },
  'link-folder': async stage => {
    await stage.page.goto(stage.links.folder)
    await quiet(stage)
  },
  'link-photos': async stage => {
    await stage.page.goto(stage.links.photos)
    await shown(stage)
  },
  'link-selection': async stage => {
    await stage.page.goto(stage.links.photos)
    await button(stage, 'publicShare.select').click()
    await row(stage, '02 Above').click()
    await row(stage, '05 The long').click()
  },
  'link-picture': async stage => {
    await stage.page.goto(stage.links.image)
    await shown(stage)
  },
  'link-password': async stage => {
    await stage.page.goto(stage.links.locked)
    await stage.page.locator('input[type=password]').fill('guess')
    await stage.page.keyboard.press('Enter')
    await stage.page.getByText(textOf(stage, 'auth.wrongCredentials')).waitFor()
  },
  'link-gone': stage => open(stage, '/share/nothing-here'),
}

const INTERVIEW = 'Interview with Grandma Tilly, part two, the years in the lighthouse (unedited).wav'

async function shown(stage: Stage): Promise<void> {
  await stage.page.locator('img').first().waitFor()
  await stage.page.waitForFunction(() => [...document.images].every(image => image.complete), undefined, {
    timeout: 30_000,
  })
  await quiet(stage)
}

async function playMedia(stage: Stage, address: string): Promise<void> {
  await open(stage, address)
  await stage.page.waitForFunction(
    () =>
      (document.querySelector<HTMLMediaElement>('video, audio')?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA,
  )
  await quiet(stage)
}

/** Waits until the first page of a PDF and its text layer are drawn. */
async function drawn(stage: Stage): Promise<void> {
  await stage.page.locator('canvas + div span').first().waitFor({ state: 'attached' })
  await stage.page.waitForFunction(() => (document.querySelector('canvas')?.width ?? 0) > 300)
  await quiet(stage)
}

/** A document that stands in a frame. */
async function paper(stage: Stage, name: string): Promise<void> {
  await open(stage, `/files/Archive/2021/${name}`)
  await stage.page.frameLocator('iframe').locator('p').first().waitFor()
  await quiet(stage)
}
