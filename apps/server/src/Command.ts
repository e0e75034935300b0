/** The `lectern` command: the server, and all commands of its data. */
import { run } from "@lectern/cli/CommandRun"
import { commands } from "@lectern/cli/commands/Commands"
import { Backup } from "./commands/Backup.ts"
import { Catalogue } from "./commands/Catalogue.ts"
import { Check } from "./commands/Check.ts"
import { Export } from "./commands/Export.ts"
import { Health } from "./commands/Health.ts"
import { Import } from "./commands/Import.ts"
import { Jobs } from "./commands/Jobs.ts"
import { Key } from "./commands/Key.ts"
import { Site, Space } from "./commands/Listing.ts"
import { Mail } from "./commands/Mail.ts"
import { Organization } from "./commands/Organization.ts"
import { Restore } from "./commands/Restore.ts"
import { Serve } from "./commands/Serve.ts"
import { Search } from "./commands/Search.ts"
import { Settings } from "./commands/Settings.ts"
import { SignInLink } from "./commands/SignInLink.ts"
import { Token } from "./commands/Token.ts"
import { Upgrade } from "./commands/Upgrade.ts"
import { User } from "./commands/User.ts"
import { Why } from "./commands/Why.ts"
import { Command } from "effect/cli"
import * as ShippedFiles from "./ShippedFiles.ts"

run(
  Command.make("lectern").pipe(
    Command.withDescription("Hosts documentation"),
    Command.withSubcommands([
      ...commands(ShippedFiles),
      Serve,
      Health,
      Settings,
      Organization,
      User,
      Space,
      Site,
      Token,
      SignInLink,
      Import,
      Export,
      Jobs,
      Mail,
      Search,
      Why,
      Catalogue,
      Key,
      Backup,
      Restore,
      Upgrade,
      Check
    ])
  )
)
