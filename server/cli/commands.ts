import { VERSION } from '../version.ts'
import type { TopCommands } from './command.ts'

/** All top-level commands, loaded on demand. Dispatch, help and completion use this list. */
export const COMMANDS: TopCommands = {
  serve: {
    summary: 'Serve a folder (the default without a command)',
    does: { run: async args => (await import('./serve.ts')).serve(args) },
    serves: true,
  },
  config: {
    summary: 'Create a database; show, change, export and import settings',
    does: {
      group: {
        init: () => import('./config/init.ts'),
        set: () => import('./config/set.ts'),
        cat: () => import('./config/cat.ts'),
        export: () => import('./config/export.ts'),
        import: () => import('./config/import.ts'),
        check: () => import('./config/check.ts'),
        diff: () => import('./config/diff.ts'),
      },
    },
  },
  users: {
    summary: 'Add, list, change, remove, export and import users',
    does: {
      group: {
        add: () => import('./users/add.ts'),
        ls: () => import('./users/ls.ts'),
        find: () => import('./users/find.ts'),
        update: () => import('./users/update.ts'),
        handover: () => import('./users/handover.ts'),
        rm: () => import('./users/rm.ts'),
        factors: () => import('./users/factors.ts'),
        'reset-factor': () => import('./users/reset-factor.ts'),
        'reset-password': () => import('./users/reset-password.ts'),
        'require-factor': () => import('./users/require-factor.ts'),
        relink: () => import('./providers/relink.ts'),
        export: () => import('./users/export.ts'),
        import: () => import('./users/import.ts'),
      },
    },
  },
  groups: {
    summary: 'List, add, change, order and remove groups, and their members',
    does: {
      group: {
        ls: () => import('./groups/ls.ts'),
        show: () => import('./groups/show.ts'),
        add: () => import('./groups/add.ts'),
        update: () => import('./groups/update.ts'),
        order: () => import('./groups/order.ts'),
        members: () => import('./groups/members.ts'),
        rm: () => import('./groups/rm.ts'),
      },
    },
  },
  grants: {
    summary: 'List and end what users share with users and groups',
    does: {
      group: {
        ls: () => import('./grants/ls.ts'),
        rm: () => import('./grants/rm.ts'),
      },
    },
  },
  roots: {
    summary: 'List the further roots of the configuration',
    does: { group: { ls: () => import('./roots/ls.ts'), accept: () => import('./roots/accept.ts') } },
  },
  mounts: {
    summary: 'List, add and remove folders of other roots; give them to users and groups',
    does: {
      group: {
        ls: () => import('./mounts/ls.ts'),
        add: () => import('./mounts/add.ts'),
        give: () => import('./mounts/give.ts'),
        take: () => import('./mounts/take.ts'),
        rm: () => import('./mounts/rm.ts'),
      },
    },
  },
  links: {
    summary: 'List, pause, resume and end share links, and say which ones users may make',
    does: {
      group: {
        ls: () => import('./links/ls.ts'),
        pause: () => import('./links/pause.ts'),
        policy: () => import('./links/policy.ts'),
        resume: () => import('./links/resume.ts'),
        rm: () => import('./links/rm.ts'),
      },
    },
  },
  quotas: {
    summary: 'List and set quotas of users and groups; count what their homes hold',
    does: {
      group: {
        ls: () => import('./quotas/ls.ts'),
        set: () => import('./quotas/set.ts'),
        recount: () => import('./quotas/recount.ts'),
        verify: () => import('./quotas/verify.ts'),
      },
    },
  },
  tokens: {
    summary: 'List, add and remove API tokens',
    does: {
      group: {
        ls: () => import('./tokens/ls.ts'),
        add: () => import('./tokens/add.ts'),
        rm: () => import('./tokens/rm.ts'),
      },
    },
  },
  providers: {
    summary: 'List and test OpenID providers; connect accounts with them',
    does: {
      group: {
        ls: () => import('./providers/ls.ts'),
        test: () => import('./providers/test.ts'),
        identities: () => import('./providers/identities.ts'),
        link: () => import('./providers/link.ts'),
        unlink: () => import('./providers/unlink.ts'),
        relink: () => import('./providers/relink-all.ts'),
      },
    },
  },
  mail: {
    summary: 'Send a test mail',
    does: { group: { test: () => import('./mail/test.ts') } },
  },
  directories: {
    summary: 'List, test and compare LDAP directories; connect accounts with them',
    does: {
      group: {
        ls: () => import('./directories/ls.ts'),
        test: () => import('./directories/test.ts'),
        sync: () => import('./directories/sync.ts'),
        link: () => import('./directories/link.ts'),
        unlink: () => import('./directories/unlink.ts'),
      },
    },
  },
  secrets: {
    summary: 'Seal the secrets in the database with another key',
    does: { group: { rekey: () => import('./secrets/rekey.ts') } },
  },
  rules: {
    summary: 'List, add and remove global rules, and rules of a user or a group',
    does: {
      group: {
        ls: () => import('./rules/ls.ts'),
        add: () => import('./rules/add.ts'),
        rm: () => import('./rules/rm.ts'),
      },
    },
  },
  cmds: {
    summary: 'List, add and remove hooks',
    does: {
      group: {
        ls: () => import('./cmds/ls.ts'),
        add: () => import('./cmds/add.ts'),
        rm: () => import('./cmds/rm.ts'),
      },
    },
  },
  audit: {
    summary: 'Verify or export the audit log',
    does: {
      group: {
        verify: () => import('./audit/verify.ts'),
        export: () => import('./audit/export.ts'),
      },
    },
  },
  versions: {
    summary: 'List, restore and prune versions of files',
    does: {
      group: {
        ls: () => import('./versions/ls.ts'),
        restore: () => import('./versions/restore.ts'),
        prune: () => import('./versions/prune.ts'),
      },
    },
  },
  trash: {
    summary: 'List, restore and empty the trash',
    does: {
      group: {
        ls: () => import('./trash/ls.ts'),
        restore: () => import('./trash/restore.ts'),
        empty: () => import('./trash/empty.ts'),
      },
    },
  },
  history: {
    summary:
      'List, undo, redo and forget changes; rewind a folder; compare the records with the disk; confirm the clock',
    does: {
      group: {
        ls: () => import('./history/ls.ts'),
        undo: () => import('./history/undo.ts'),
        redo: () => import('./history/redo.ts'),
        check: () => import('./history/check.ts'),
        clock: () => import('./history/clock.ts'),
        rewind: () => import('./history/rewind.ts'),
        forget: () => import('./history/forget.ts'),
      },
    },
  },
  snapshots: {
    summary: 'List the snapshots of the served folder, or of a path in it',
    does: { group: { ls: () => import('./snapshots/ls.ts') } },
  },
  tags: {
    summary: 'Export and import tags, and which items have them',
    does: {
      group: {
        export: () => import('./tags/export.ts'),
        import: () => import('./tags/import.ts'),
        'to-attributes': () => import('./tags/to-attributes.ts'),
        'from-attributes': () => import('./tags/from-attributes.ts'),
      },
    },
  },
  verify: {
    summary: 'Compare files with their recorded checksums',
    does: { load: () => import('./integrity/verify.ts') },
  },
  scrub: {
    summary: 'Show when files were checked, and what was found',
    does: { group: { status: () => import('./integrity/status.ts') } },
  },
  manifest: {
    summary: 'Print the SHA-256 checksums of a folder',
    does: { load: () => import('./integrity/manifest.ts') },
  },
  duplicates: {
    summary: 'List files of the same content in a folder',
    does: { load: () => import('./integrity/duplicates.ts') },
  },
  adopt: {
    summary: 'Import users, settings and share links from File Browser',
    does: { load: () => import('./import-filebrowser/index.ts') },
  },
  backup: {
    summary: 'Back up the database to a file',
    does: { load: () => import('./backup.ts') },
  },
  restore: {
    summary: 'Restore a backup',
    does: { load: () => import('./restore.ts') },
  },
  'migrate-store': {
    summary: 'Copy the database between SQLite and PostgreSQL',
    does: { load: () => import('./migrate-store.ts') },
  },
  doctor: {
    summary: 'Check the server and the proxy for problems',
    does: { load: () => import('./doctor/index.ts') },
  },
  health: {
    summary: 'Check whether the local server accepts requests',
    does: { load: () => import('./health.ts') },
  },
  hash: {
    summary: 'Print the bcrypt hash of a password',
    does: { load: () => import('./hash.ts') },
  },
  completion: {
    summary: 'Print a shell completion script',
    does: { load: async () => ({ command: (await import('./completion.ts')).completionOf(COMMANDS) }) },
  },
  version: {
    summary: 'Print the version',
    does: { run: async () => console.log(`Filigree v${VERSION}`) },
  },
  help: {
    summary: 'Print this text, or the help of a command',
    does: { run: async args => (await import('./help.ts')).help(args, COMMANDS) },
  },
}
