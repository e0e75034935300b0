import type { Template } from "./Template.ts"

/** Pages about how a team works, for newcomers. */
export const handbook: Template = {
  id: "handbook",
  title: "Team handbook",
  description: "How the team works: the first week, meetings, decisions, time off, tools.",
  contentRefs: ["cover"],
  pages: ({ cover }) => [
    {
      title: "About this handbook",
      icon: "book",
      description: "Who it is for, and how it changes.",
      ...(cover !== undefined && { cover }),
      markdown: `This is how we work. Where it differs from what we do, one of the two is wrong: say so, or open a change request.

* **Everyone may change it.** The owner of a page decides.
* **Short beats complete.** Link instead of repeating.
* **Begin with the rule**, then give the reason.

New here? Begin with [your first week](/pages/template-first-week).
`
    },
    {
      title: "Your first week",
      name: "template-first-week",
      icon: "seedling",
      markdown: `Your buddy goes through this list with you. Nobody expects you to remember it.

## Day one

* [ ] Laptop, accounts, keys to the door
* [ ] Meet your buddy and your team
* [ ] Read [how we work](/pages/template-how-we-work)

## By the end of the week

* [ ] You changed something real, however small
* [ ] You know whom to ask about pay, about leave, and about anything odd
* [ ] You told your buddy what was confusing, and fixed it here
`
    },
    {
      title: "How we work",
      name: "template-how-we-work",
      type: "group",
      icon: "people-group",
      pages: [
        {
          title: "Meetings",
          description: "When to have one, and when to write instead.",
          markdown: `We meet to decide and to get to know one another. What is only news is written.

| Meeting | How often | Who | Comes out of it |
| --- | --- | --- | --- |
| Planning | Every two weeks | The team | What we do next |
| One to one | Weekly | You and your lead | What is in your way |
| Review | Every two weeks | Whoever wants to | What we learned |

Every meeting has an agenda the day before, and notes the same day. No agenda, no meeting.
`
        },
        {
          title: "Decisions",
          description: "Who decides what, and where it is written down.",
          markdown: `Whoever does the work decides, after asking those whom it concerns. What is hard to undo is written down first:

1. **The question** in one sentence.
2. **What we know**: facts, with links.
3. **The choices**, each with what speaks against it.
4. **The decision**, who took it, and when we look at it again.

Disagree before it is taken; then go along and make it work.
`
        },
        {
          title: "Writing",
          markdown: `We are in different places at different times, so what isn't written did not happen.

* The first sentence says what you want from whom.
* Discuss in the open, unless it is about a person.
* An answer within a working day is fast enough. If it can't wait, call.
`
        }
      ]
    },
    {
      title: "Time off",
      icon: "umbrella-beach",
      description: "Holidays, illness, and everything else that life brings.",
      markdown: `## Holidays

How many days there are, and how to take them: tell your team, put it in the calendar, hand over what is open.

## When you are ill

Tell your lead before you would have begun. Then get well: nobody expects you to read messages.

## Family, and other reasons

What applies, whom to ask, and that asking is fine.
`
    },
    {
      title: "Tools and access",
      icon: "screwdriver-wrench",
      markdown: `| For | We use | Whom to ask |
| --- | --- | --- |
| Documents | This handbook | Everyone |
| Code | Our repositories | Your buddy |
| Passwords | The password manager, for everything | The administrators |

{% hint style="warning" %}
Lost a laptop or clicked on something odd? Tell the administrators at once. Nobody is ever blamed for telling.
{% endhint %}
`
    }
  ]
}
