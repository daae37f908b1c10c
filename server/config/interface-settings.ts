import { ACTIVITY_NAMES } from '../../shared/api/activity.ts'
import { SCRUB_MODES } from '../../shared/api/integrity.ts'
import { SHARED_TAGS } from '../../shared/api/tags.ts'
import { TRASH_MODES } from '../../shared/api/trash.ts'
import { VERSION_MODES } from '../../shared/api/versions.ts'
import { PASSWORD_COSTS } from '../../shared/password-cost.ts'
import {
  durationBetween,
  parseDuration,
  parseFolders,
  parseHours,
  parseNamePatterns,
  parsePasswordCost,
  parseSpareSpace,
  wholeNumber,
} from './parse.ts'
import { CONTENT_INDEX_MODES, LOG_LEVELS, NAME_INDEX_MODES, type Setting } from './setting.ts'

/**
 * Settings that administrators can also change in the interface, unless the host sets them (docs/design/auth.md). Each has a
 * text there, by its name.
 */
export const INTERFACE_SETTINGS = {
  logLevel: {
    words: LOG_LEVELS,
    default: 'info',
    doc: 'Log level: debug (every request), info, warn or error.',
  },
  tokenExpirationTime: {
    variables: ['FB_TOKEN_EXPIRATION_TIME'],
    parse: parseDuration,
    default: '2h',
    doc: 'Lifetime of a session token, for example 30m, 2h or 1h30m.',
  },
  tokenDays: {
    parse: wholeNumber('The days of an API token', 0, 36_500),
    default: '0',
    doc: 'Maximum days for which a new API token is valid; 0 for no limit.',
  },
  adminTokens: {
    boolean: true,
    default: 'false',
    doc: 'Whether administrators may make API tokens that administrate, for 90 days at most.',
  },
  imageProcessors: {
    aliases: ['img-processors'],
    variables: ['FB_IMAGE_PROCESSORS'],
    parse: wholeNumber('The image processors', 1, 128),
    default: '4',
    doc: 'Number of previews made concurrently, each in its own process.',
  },
  maxImagePixels: {
    parse: wholeNumber('The maximum of image pixels', 1, 999_999_999),
    default: '52428800',
    doc: 'Maximum number of pixels of an image for a preview; protects against decompression bombs.',
  },
  nameIndex: {
    words: NAME_INDEX_MODES,
    default: 'auto',
    doc: 'Name index for searches: auto (built after a search that had to walk many folders), always, scheduled or off.',
  },
  nameIndexEvery: {
    parse: parseDuration,
    default: '10m',
    doc: 'Age at which a search has the name index reconciled with the disk, to find changes made by other programs.',
  },
  contentIndex: {
    words: CONTENT_INDEX_MODES,
    default: 'auto',
    doc: 'Index of the contents of text files: auto (built from the first content search on), always or off.',
  },
  contentIndexBytes: {
    parse: wholeNumber('The limit of the content index', 1),
    default: '1073741824',
    doc: 'Maximum number of bytes of indexed text; files over 1 MiB are not indexed.',
  },
  trash: {
    words: TRASH_MODES,
    default: 'on',
    doc: 'Whether deleted items go to the trash: on, choice (only where the client asks with X-Trash: 1) or off.',
  },
  trashDays: {
    parse: wholeNumber('The days of the trash', 0, 36_500),
    default: '30',
    doc: 'Days after which items in the trash are deleted for good; 0 for no limit.',
  },
  trashShare: {
    parse: wholeNumber('The share of the trash', 0, 100),
    default: '10',
    doc: 'Percentage of a file system that the trash may fill; beyond it the oldest items are deleted for good.',
  },
  trashCopyObjects: {
    parse: wholeNumber('The objects of a copied folder', 0),
    default: '100000',
    doc: 'Maximum number of objects in a folder that is copied into the trash, in a bucket that keeps no versions.',
  },
  trashSkip: {
    parse: parseFolders,
    default: '',
    doc: 'Folders of the served root in which deletions are permanent, separated by commas, for example /backups,/tmp.',
  },
  trashSeenBy: {
    words: ['place', 'own'],
    default: 'place',
    doc: 'Who sees a deleted item: place (users who see its old folder) or own (who deleted it, and administrators).',
  },
  trashPlace: {
    words: ['own', 'desktop'],
    default: 'own',
    doc: 'Where deleted items go at the top of a mounted disk: own (a folder of Filigree) or desktop (the trash of desktops).',
  },
  trashCopyBytes: {
    parse: wholeNumber('The size of what is copied to the trash', 0),
    default: '1073741824',
    doc: 'Maximum number of bytes of an item that is copied to the trash, on disks that allow no rename to it.',
  },
  desktopTrash: {
    words: ['show', 'hide'],
    default: 'show',
    doc: 'Whether the trash shows what desktop programs deleted on mounted disks as the server’s account: show or hide.',
  },
  permanentDelete: {
    words: ['everyone', 'admins'],
    default: 'everyone',
    doc: 'Who may delete for good, also out of the trash: everyone with the permission to delete, or admins.',
  },
  spareSpace: {
    parse: parseSpareSpace,
    default: 'auto',
    doc: 'Free bytes of a disk below which the oldest deleted items go; auto is 5 % of the disk, at most 20 GiB.',
  },
  keepLeast: {
    parse: parseDuration,
    default: '24h',
    doc: 'Time for which a deleted item is kept although room is short; an hour at most when half of the spare room is used.',
  },
  activityNames: {
    words: ACTIVITY_NAMES,
    default: 'everyone',
    doc: 'Who sees whose changes are listed: everyone, admins (others see changes without a name) or own (others see only their own).',
  },
  versions: {
    words: VERSION_MODES,
    default: 'smart',
    doc: 'Versions of files whose content is replaced: smart (fewer the older they are), all or off.',
  },
  versionsDays: {
    parse: wholeNumber('The days of versions', 0, 36_500),
    default: '365',
    doc: 'Days after which versions of files are removed; 0 for no limit. Pinned versions stay.',
  },
  versionsOfFile: {
    parse: wholeNumber('The versions of a file', 1, 100_000),
    default: '200',
    doc: 'Maximum number of versions of one file with versions=smart, without pinned ones.',
  },
  versionCopyBytes: {
    parse: wholeNumber('The size of a copied version', 0),
    default: '67108864',
    doc: 'Maximum number of bytes of a file that is copied to become a version, on disks without hard links and reflinks.',
  },
  versionsShare: {
    parse: wholeNumber('The share of versions', 0, 100),
    default: '10',
    doc: 'Percentage of a file system that versions may fill; beyond it the oldest are removed.',
  },
  versionsSkip: {
    parse: parseNamePatterns,
    default: '*.part,*.crdownload,*.tmp,~$*,.~lock.*,Thumbs.db,.DS_Store',
    doc: 'Names of files that have no versions, separated by commas; * stands for any characters.',
  },
  sharedTags: {
    words: SHARED_TAGS,
    default: 'admins',
    doc: 'Who makes, changes and deletes tags that all users see: admins, or modify (users with that permission, too).',
  },
  folderCovers: {
    boolean: true,
    default: 'true',
    doc: 'Show the newest pictures of a folder, or its cover, in place of its icon in the views of pictures.',
  },
  folderReadme: {
    boolean: true,
    default: 'true',
    doc: 'Show the README of a folder below its listing.',
  },
  historyDays: {
    parse: wholeNumber('The days of the history', 0, 36_500),
    default: '90',
    doc: 'Days after which changes to files are forgotten and can no longer be undone; 0 for no limit.',
  },
  historyRows: {
    parse: wholeNumber('The rows of the history', 1000),
    default: '1000000',
    doc: 'Maximum number of recorded effects of changes; beyond it the oldest changes are forgotten.',
  },
  scrub: {
    words: SCRUB_MODES,
    default: 'off',
    doc: 'How often each file is read again and compared with its checksum: weekly, monthly, quarterly or off.',
  },
  scrubHours: {
    parse: parseHours,
    default: '01-06',
    doc: 'Hours of the day in which files are read again, in the time zone of the server; 00-24 for the whole day.',
  },
  scrubRate: {
    parse: wholeNumber('The rate of the checks', 1024),
    default: '20971520',
    doc: 'Maximum number of bytes that are read again per second.',
  },
  disableThumbnails: {
    variables: ['FB_DISABLE_THUMBNAILS'],
    boolean: true,
    default: 'false',
    doc: 'Make no thumbnails.',
  },
  disablePreviewResize: {
    variables: ['FB_DISABLE_PREVIEW_RESIZE'],
    boolean: true,
    default: 'false',
    doc: 'Show images in full size only, without smaller previews.',
  },
  disableTypeDetectionByHeader: {
    variables: ['FB_DISABLE_TYPE_DETECTION_BY_HEADER'],
    boolean: true,
    default: 'false',
    doc: 'In listings, detect file types by name only, not by content.',
  },
  disableImageResolutionCalc: {
    variables: ['FB_DISABLE_IMAGE_RESOLUTION_CALC'],
    boolean: true,
    default: 'false',
    doc: 'Do not read the dimensions of images.',
  },
  passwordCost: {
    words: Object.keys(PASSWORD_COSTS),
    parse: parsePasswordCost,
    default: 'usual',
    doc: 'Cost of a password hash: least (46 MiB, one pass, for slow machines), usual (32 MiB, three passes) or high (64 MiB, four passes).',
  },
  extractBytes: {
    parse: wholeNumber('An archive limit', 1),
    default: '107374182400',
    doc: 'Maximum number of bytes extracted from one archive.',
  },
  extractRatio: {
    parse: wholeNumber('An archive limit', 1),
    default: '200',
    doc: 'Maximum ratio of extracted size to archive size; ignored up to 64 MiB.',
  },
  extractMembers: {
    parse: wholeNumber('An archive limit', 1),
    default: '1000000',
    doc: 'Maximum number of files and folders extracted from one archive.',
  },
  extractDepth: {
    parse: wholeNumber('An archive limit', 1),
    default: '64',
    doc: 'Maximum depth of folders extracted from an archive; deeper entries are skipped.',
  },
  davLockTime: {
    parse: durationBetween('The lifetime of a lock', '1m', '24h'),
    default: '1h',
    doc: 'Longest time from 1m to 24h after which a lock of WebDAV ends unless the program extends it.',
  },
  davInfinity: {
    boolean: true,
    default: 'true',
    doc: 'Whether WebDAV lists everything below a folder in one response (Depth: infinity).',
  },
  disableQueryToken: {
    boolean: true,
    default: 'false',
    doc: 'Refuse session tokens in the URL (?auth=). Older clients need them; the interface does not.',
  },
} as const satisfies Record<string, Setting>
