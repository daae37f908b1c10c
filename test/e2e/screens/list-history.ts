import type { Change, ChangeDetails, ChangePage, Verdict } from '../../../shared/api/changes.ts'
import { NOW } from './sample.ts'
import { open, openByKey, openFolder, quiet, type Stage } from './stage.ts'

/** What users changed: the page, the panel over a listing, and the question before an undo. */
export const HISTORY_SCREENS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  history: async stage => {
    await answer(stage)
    await open(stage, '/history/')
    await stage.page.locator('[aria-expanded=false]', { hasText: /7/ }).first().click()
    await quiet(stage)
  },
  'history-empty': async stage => {
    await answer(stage, [])
    await open(stage, '/history/')
    await quiet(stage)
  },
  'history-panel': async stage => {
    await answer(stage)
    await openFolder(stage)
    await openByKey(stage, 'Alt+h')
    await quiet(stage)
  },
  'undo-question': async stage => {
    await answer(stage)
    await openFolder(stage)
    await openByKey(stage, 'Control+z')
  },
}

const verdict = (position: number, name: string, how: Partial<Verdict> = {}): Verdict => ({
  position,
  kind: 'make',
  path: `/Coast walk/${name}`,
  isDir: false,
  can: !how.why,
  offers: [],
  ...how,
})

const VERDICTS: readonly Verdict[] = [
  verdict(6, '07 Lighthouse.jpg'),
  verdict(5, '06 The long beach.jpg'),
  verdict(4, '05 Ferry.jpg'),
  verdict(3, 'Route.md', { kind: 'replace', why: 'changed_since', offers: ['copy', 'over'] }),
  verdict(2, 'Notes for the second day with the ferry times.txt', { why: 'changed_since', offers: ['trash'] }),
  verdict(1, 'Tides.csv', { why: 'changed_since', offers: ['trash'] }),
  verdict(0, 'Old map.png', { why: 'gone' }),
]

function change(minutesAgo: number, how: Partial<Change>): Change {
  const time = new Date(NOW.getTime() - minutesAgo * 60_000)
  return {
    id: `01k${String(1_000_000 - minutesAgo).padStart(23, '0')}`,
    time: time.toISOString(),
    user: 'robin',
    mine: false,
    ofSession: true,
    way: 'session',
    kind: 'delete',
    state: 'done',
    count: 1,
    counted: true,
    bytes: 0,
    folder: '/',
    first: [],
    undo: { can: true, until: new Date(time.getTime() + 30 * 86_400_000).toISOString() },
    ...how,
  }
}

const GONE = { can: false, why: 'gone' } as const

const CHANGES: readonly Change[] = [
  change(5, {
    kind: 'upload',
    mine: true,
    count: 7,
    folder: '/Coast walk',
    first: ['05 Ferry.jpg', '06 The long beach.jpg', '07 Lighthouse.jpg'],
  }),
  change(31, {
    kind: 'undo',
    about: { kind: 'move', again: false },
    undoes: 'x',
    count: 2,
    first: ['Lease.pdf', 'Insurance.pdf'],
    folder: '/Contracts',
  }),
  change(47, { kind: 'delete', count: 3, mine: true, first: ['Minutes old.docx', 'Draft.docx', 'scan0001.tif'] }),
  change(70, {
    kind: 'move',
    count: 2,
    state: 'undone',
    undoneBy: 'x',
    undo: { can: false, why: 'undone' },
    first: ['Lease.pdf', 'Insurance.pdf'],
  }),
  change(1400, { kind: 'save', mine: true, folder: '/Coast walk', first: ['Route.md'] }),
  change(1450, {
    kind: 'rename',
    count: 24,
    state: 'partly',
    undoneBy: 'y',
    folder: '/Coast walk',
    first: ['01 Start.jpg', '02 Above the cliffs.jpg', '03 Gorse.jpg'],
  }),
  change(2900, { kind: 'copy', mine: true, state: 'open', undo: { can: false }, count: 812, first: ['Archive'] }),
  change(3000, { kind: 'purge', undo: { can: false, why: 'final' }, first: ['Old contracts'] }),
  change(9000, { kind: 'extract', undo: GONE, first: ['Photos'], folder: '/Archive' }),
]

/** Answers the calls of changes with a sample; the steps of each are those of the first. */
async function answer({ page }: Stage, items: readonly Change[] = CHANGES): Promise<void> {
  await page.route('**/api/changes?**', route =>
    route.fulfill({ json: { items: [...items], more: true } satisfies ChangePage }),
  )
  await page.route('**/api/changes/**', async route => {
    const [first] = CHANGES
    if (route.request().method() === 'POST') {
      const can = VERDICTS.filter(each => each.can).length
      return route.fulfill({ json: { verdicts: VERDICTS, count: VERDICTS.length, can } })
    }
    if (!first) return route.abort()
    const steps = VERDICTS.map(({ position, kind, path, isDir }) => ({
      position,
      kind,
      path,
      isDir,
      state: 'done' as const,
    }))
    await route.fulfill({ json: { ...first, steps: steps.toReversed(), moreSteps: false } satisfies ChangeDetails })
  })
}
