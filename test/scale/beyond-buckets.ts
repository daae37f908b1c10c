import { appendFileSync } from 'node:fs'

/** Tests by their file: a part of their names; `''` for all of them. */
type Tests = Readonly<Record<string, readonly string[]>>

/** Features that a bucket lacks, or that s3fs cannot show, and the tests of them. */
export const BEYOND_BUCKETS: Readonly<Record<string, Tests>> = {
  'a bucket has no links': {
    'test/security/edges.test.ts': ['leaves its content unchanged'],
    'test/api/archives.test.ts': ['RULE-02 rules apply to every entry', 'links to files inside are followed'],
    'test/api/conflicts.test.ts': ['a folder onto a link, or a link onto a folder'],
    'test/api/extract.test.ts': ['does not write through an existing link'],
    'test/api/hidden-names.test.ts': ['is refused behind a link'],
    'test/api/listing.test.ts': ['a link inside is returned with its target'],
    'test/api/listing-versions.test.ts': ['rows decode to the items of JSON'],
    'test/api/move-copy.test.ts': ['stays in the scope, and follows no link'],
    'test/api/previews.test.ts': ['IMG-07 is what a rule denies'],
    'test/api/public-owner.test.ts': [
      'that lead out of the shared folder are not followed',
      'SHR-01 is not replaced by a symbolic link',
    ],
    'test/api/shares.test.ts': ['for a path out of the scope'],
    'test/api/why.test.ts': ['explains links that lead out', 'that a link leads to', 'that is behind such a link'],
  },
  'a bucket has no modes': {
    'test/e2e/many-uploads.test.ts': ['small files arrive complete'],
    'test/e2e/upload-refusals.test.ts': ['a folder that became read-only'],
    'test/api/archives.test.ts': ['preserves modes and times'],
    'test/api/create.test.ts': ['replacing a file keeps its permissions'],
    'test/api/extract.test.ts': ['is extracted whole, with times and modes'],
    'test/api/listing.test.ts': ['a folder is returned with its own data'],
    'test/api/move-copy.test.ts': ['a file keeps its bytes and its mode', 'a folder includes everything in it'],
    'test/api/save.test.ts': ['saving replaces the content, returns the version and keeps the mode'],
  },
  'a bucket has no pipes, and no sparse files': {
    'test/e2e/documents.test.ts': ['any offset of a very large file'],
    'test/security/edge-cases.test.ts': ['SPEC-04', 'SPEC-05'],
    'test/api/special-files.test.ts': ['SPEC-01', 'a folder with special files is listed', 'SPEC-02'],
    'test/api/previews.test.ts': ['is a pipe with the name of an image'],
    'test/api/reading.test.ts': ['of a pipe is refused'],
  },
  'a bucket reports no free space': {
    'test/api/broken-bodies.test.ts': ['an upload larger than the disk is refused'],
    'test/api/listing.test.ts': ['usage returns the bytes of the disk'],
    'test/api/tus.test.ts': ['larger than the free space'],
  },
  'unfinished uploads to a bucket are stored elsewhere': {
    'test/e2e/transfer.test.ts': ['uploads are cancelled after a question, and leave nothing behind'],
    'test/e2e/upload-refusals.test.ts': ['a folder deleted during an upload'],
    'test/api/broken-bodies.test.ts': ['an interrupted upload', 'UPL-11', 'UPL-18', 'HTTP-12 100 interrupted uploads'],
    'test/api/tus.test.ts': ['the unfinished file has no URL'],
  },
  'a bucket reports no changes by others': {
    'test/e2e/live.test.ts': ['for changes by other programs'],
    'test/e2e/proxy.test.ts': ['behind a real proxy that takes 1 MB'],
    'test/api/jobs.test.ts': ['reports changes by others', 'begins with the changes since'],
  },
  'a copy of a folder shows as it fills': {
    'test/api/jobs.test.ts': ['that is paused resumes where it was'],
  },
  'a store may still send a replaced object': {
    'test/api/download.test.ts': ['RACE-01'],
  },
  'commands are unavailable with files in a bucket': {
    'test/e2e/page-config.test.ts': ['includes name, colours, version'],
    'test/security/commands.test.ts': ['CMD-', 'only who may do everything', 'RULE-02', 'may be a program of the host'],
    'test/security/sockets.test.ts': [''],
  },
  'files in a bucket have no content search': {
    'test/e2e/search.test.ts': ['a text is found in a file'],
    'test/e2e/tasks.test.ts': ['a text is found by its content'],
  },
  'the store refuses clients with a wrong clock': {
    'test/security/edge-cases.test.ts': ['AUTH-17'],
  },
  's3fs shows only names that are UTF-8 and fit into XML': {
    'test/e2e/odd-names.test.ts': ['a name that is not UTF-8 is shown escaped'],
    'test/api/move-copy.test.ts': ['every odd name arrives unchanged'],
    'test/api/names.test.ts': ['u0007bell', 'a name that is not valid UTF-8'],
    'test/api/odd-names.test.ts': ['NAME-04', 'visually equal names'],
    'test/api/odd-names-edges.test.ts': [
      ...[
        'NAME-02',
        'a long name that is not UTF-8',
        'a destination escaped once too few',
        '256 bytes that are not UTF-8',
      ],
      ...['a resumable upload arrives', 'a search finds a byte', 'a video finds the subtitles'],
      ...[
        'a checksum and a saved text',
        'a link with such a name',
        'a user may have a home',
        'a rule hides',
        'PATH-11',
      ],
    ],
  },
  's3fs shows no times before 1970': {
    'test/api/upload-conditions.test.ts': ['keeps the modification time'],
  },
  's3fs takes many minutes for thousands of files, or of nested folders': {
    'test/e2e/jobs.test.ts': ['a long copy shows its progress'],
    'test/e2e/large-folder.test.ts': [''],
    'test/security/edge-cases.test.ts': ['DIR-03'],
    'test/api/listing.test.ts': ['a folder of 10 000 entries'],
    'test/api/listing-versions.test.ts': ['very many', 'many rows', 'while four long listings'],
    'test/api/remove.test.ts': ['a tree 300 levels deep'],
  },
}

/** Why a test is skipped with files in a bucket; records it for the summary at the end. */
export function lackFor(file: string, name: string): string | undefined {
  const found = Object.entries(BEYOND_BUCKETS).find(([, tests]) => tests[file]?.some(part => name.includes(part)))
  const [lack] = found ?? []
  const notes = process.env.FILIGREE_TEST_LEFT_OUT
  if (lack !== undefined && notes !== undefined) appendFileSync(notes, `${lack}\n`)
  return lack
}
