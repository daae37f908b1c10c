import type { ActivityNames } from '../../shared/api/activity.ts'
import type { Finding } from '../../shared/api/diagnostics.ts'
import type { SharedTags } from '../../shared/api/tags.ts'
import type { VersionMode } from '../../shared/api/versions.ts'
import type { FilesDeps } from '../files/files-service.ts'
import type { TrashPolicy } from '../files/trash-records.ts'
import type { VersionSettings } from '../files/version-records.ts'
import type { KeptThings } from '../storage/driver.ts'
import { Cans } from './cans.ts'
import { ChangeExpiry } from './change-expiry.ts'
import { changeRecords, type RecordedChanges } from './changes.ts'
import { historyFindings } from './findings.ts'
import { markRecords } from './marks.ts'
import { RecentWrites } from './recent-writes.ts'
import { trashRecords } from './trash.ts'
import { TrashUpkeep, type UpkeepDeps } from './trash-upkeep.ts'
import { versionRecords } from './versions.ts'

export { followedAreas } from './moved-areas.ts'

/** The settings of the host about what is kept and recorded, and for how long. */
export interface HistorySettings {
  trash: 'on' | 'choice' | 'off'
  trashDays: number
  trashShare: number
  trashSkip: TrashPolicy['skip']
  trashSeenBy: TrashPolicy['seenBy']
  permanentDelete: TrashPolicy['permanentBy']
  desktopTrash: TrashPolicy['desktop']
  trashCopyBytes: number
  spareSpace: number | undefined
  keepLeast: number
  versions: VersionMode
  versionsDays: number
  versionsOfFile: number
  versionsShare: number
  versionCopyBytes: number
  versionsSkip: VersionSettings['skips']
  historyDays: number
  historyRows: number
  activityNames: ActivityNames
  sharedTags: SharedTags
}

export interface HistoryDeps
  extends Pick<UpkeepDeps, 'db' | 'cluster' | 'dependents' | 'audit' | 'log' | 'isOnlyServer'> {
  settings: HistorySettings
  /** The served root; without `kept` nothing is kept. */
  storage: UpkeepDeps['storage'] & { kept?: KeptThings }
}

/** Everything about deleted things, former contents, changes and marks that outlives a request. */
export interface OpenHistory {
  changes: RecordedChanges
  /** What `Files` records into. */
  records: Pick<
    FilesDeps,
    'trash' | 'trashPolicy' | 'versions' | 'changes' | 'marks' | 'activityNames' | 'sharedTags' | 'makeRoom'
  >
  /** What administrators should know. */
  findings(): Promise<Finding[]>
  /** Starts recovery and expiry. */
  start(): void
  close(): Promise<void>
}

export function openHistory(deps: HistoryDeps): OpenHistory {
  const { settings, db, cluster, log, storage } = deps
  const recent = new RecentWrites({ db, log })
  const changes = changeRecords(db, cluster, (userId, steps) => recent.changed(userId, steps))
  const upkeep = storage.kept && new TrashUpkeep({ ...deps, kept: storage.kept, ...limitsOf(settings) })
  const cans = storage.kept && new Cans({ ...deps, kept: storage.kept })
  const keep = { days: settings.historyDays, rows: settings.historyRows }
  const expiry = new ChangeExpiry({ db, cluster, log, keep })
  return {
    changes,
    records: {
      ...historyRecords(settings, db, changes),
      trash: settings.trash === 'off' ? undefined : trashRecords(db, cans && (() => cans.refresh())),
      marks: markRecords(db, recent),
      activityNames: settings.activityNames,
      sharedTags: settings.sharedTags,
      makeRoom: upkeep && (request => upkeep.makeRoom(request)),
    },
    findings: async () => (storage.kept ? historyFindings({ db, kept: storage.kept }) : []),
    start() {
      upkeep?.start()
      expiry.start()
    },
    async close() {
      await upkeep?.close()
      await expiry.close()
      await recent.close()
    },
  }
}

/** What `Files` records into besides the trash, with what the host set. */
export const historyRecords = (
  settings: HistorySettings,
  db: HistoryDeps['db'],
  changes: RecordedChanges,
): Pick<FilesDeps, 'trashPolicy' | 'versions' | 'changes'> => ({
  trashPolicy: {
    skip: settings.trashSkip,
    seenBy: settings.trashSeenBy,
    permanentBy: settings.permanentDelete,
    desktop: settings.desktopTrash,
    copyBytes: settings.trashCopyBytes,
  },
  versions: { records: versionRecords(db), settings: versionSettingsOf(settings) },
  changes,
})

const versionSettingsOf = (settings: HistorySettings): VersionSettings => ({
  mode: settings.versions,
  days: settings.versionsDays,
  copyBytes: settings.versionCopyBytes,
  skips: settings.versionsSkip,
})

const limitsOf = (settings: HistorySettings): Pick<UpkeepDeps, 'keep' | 'versions'> => ({
  keep: {
    days: settings.trashDays,
    share: settings.trashShare,
    spare: settings.spareSpace,
    least: settings.keepLeast,
  },
  versions: {
    mode: settings.versions,
    days: settings.versionsDays,
    share: settings.versionsShare,
    most: settings.versionsOfFile,
  },
})
