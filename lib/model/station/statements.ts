import type { ActionName, CouncilRole } from "../../schema/station_ids.ts";
import type { Camp } from "./parameters.ts";

/** In whose manner a plan is spoken of. */
export type Voice = "triage" | "coalition" | "auditor" | "broadcaster" | "chaser" | Camp;

type Lines = Readonly<Partial<Record<ActionName, readonly string[]>>>;

/**
 * What the personas say of plans and in general, by manner. In braces: {id} and {by} of the plan aimed at, {who} of the
 * role aimed at, seats {outer} {crew} {sponsor} {medical}, power {life} {docking} {comms} of the plan at hand, {hours}
 * left, {seats} in all, {people} of the Outer Ring, {need} of power for life support, {rumour} the text of a rumour.
 */
export const MANNER: Readonly<Record<Voice, Lines>> = {
  triage: {
    propose: [
      "Life support gets {life}, docking {docking}, and no seat stays empty. It is rough and it works. Argue with me once the air is safe.",
      "I am not waiting for a perfect list. {outer} seats for the Outer Ring, {medical} for medical, power to the locks first. Vote now.",
      "{hours} hours are left. This keeps people breathing and ships leaving. Improve it later; pass it today.",
      "Somebody has to write the first number down, so I do: {life} units for air, {docking} for the docks, every seat filled.",
    ],
    endorse: [
      "{id} keeps {life} units on life support and fills the shuttles. That is enough for me.",
      "I do not need to love {id} to vote for it. It can be carried out, and that is rarer than love today.",
      "Every hour we debate costs air. {id} stands up to a first look, so it has my name.",
      "I looked for what {id} breaks and found nothing that was not broken already. For it.",
      "Write my name under {id} and let us go back to the pumps.",
    ],
    moderate: [
      "Cool the channels. A crowd at the wrong lock kills more people than a bad seat list.",
      "I want the shouting off the work bands. People who must act need to hear each other.",
    ],
    speak: [
      "Nothing to add that would save a minute. Go and do your work.",
      "I have looked at my board and it holds. Who has something that does not?",
      "A bad decision can be mended by noon. A late one cannot be mended at all.",
      "{hours} hours. I say the number aloud because nobody else does.",
      "If it does not move air, power or people, it can wait until we are off this wreck.",
    ],
  },
  coalition: {
    propose: [
      "I have asked everyone what they cannot do without, and this plan gives each of them that much and no more: {outer} seats for the Outer Ring, {sponsor} for the sponsor deck.",
      "Nobody wins here and nobody is left out: {outer}, {crew}, {sponsor}, {medical}. A plan that four of us carry beats one that two of us adore.",
      "Here is what we can all defend in front of our own people. I would rather share a modest plan than own a fine one.",
    ],
    endorse: [
      "{by} and I do not agree on much, but I can explain {id} to my people without blushing. I stand with it.",
      "I said I would stand with my partners when it counted. It counts: {id} has my vote.",
      "A station is not held together by rivets alone. Let {id} be the thing we did together.",
      "I gave up two points to stand behind {id}. So did {by}. That is what an agreement looks like from the inside.",
      "If {id} fails, let it not be because one of us was waiting for another.",
    ],
    form_coalition: [
      "{who}, we will need each other before this is over. Let us say so aloud while it still costs nothing.",
      "I would rather settle our quarrel with {who} now than find it again inside the vote.",
      "{who} and I have one thing in common: neither of us can do this alone. That will do for a beginning.",
    ],
    speak: [
      "We are all in this room already. Now let us also be on one side of the table.",
      "I have nothing to ask today, except that those who agreed yesterday still agree.",
      "Ask your neighbour what they told their own people last night. Then tell yours the same.",
      "I have shaken every hand here once. I am prepared to go round again.",
      "An agreement is a small thing to build and a slow one to build twice. Leave it standing.",
    ],
  },
  auditor: {
    propose: [
      "Every number here has been counted twice: {outer}, {crew}, {sponsor} and {medical} seats, and power that we really have. Check me.",
      "I put up only what I could verify. It promises less than others would, and it will be true tomorrow.",
      "No rounding and no reserves under the table: {life} for air, {docking} for docking, every seat on one list.",
    ],
    endorse: [
      "I have gone through {id} line by line and found nothing hidden. It has my vote.",
      "My doubts about {id} were about sums, and the sums are right. I back it.",
      "Careful is not the same as never. {id} has been looked at; I stand behind it.",
    ],
    fact_check: [
      '"{rumour}" Before we answer that, let us find out whether it is so.',
      "We cannot vote over a rumour that nobody has looked at. I am looking at it now.",
      "Bring me the log, the hour and the name. Then we will know what this story is worth.",
    ],
    audit: [
      "The books come onto the table today, whoever they embarrass. A plan built on bad books is a bad plan.",
      "If somebody in this room fears an audit, let them speak before I begin.",
    ],
    speak: [
      "I am not against the plan. I am against not knowing what is in it.",
      "What has been checked, I will vote on. What has not, I will not.",
      "Trust is what is left over when the sums have been shown to everybody.",
      "I have no news, and I would rather say so than invent some.",
      "Show me the line before you show me the total. Totals are where things are hidden.",
      "Slow is a fair complaint. Wrong would have been a worse one.",
      "I keep a list of what we assume. It is longer than the list of what we know.",
    ],
  },
  broadcaster: {
    propose: [
      "This plan fits into one announcement, which is why I believe in it: {outer} seats for the Outer Ring, {crew} crew, {sponsor} sponsor deck, {medical} medical.",
      "People can bear a short list if they are allowed to read it. Here is the list, and {comms} units so that everyone hears it.",
    ],
    endorse: [
      "I can read {id} out on every deck without lowering my voice. That is my test, and it passes.",
      "{id} can be explained in a minute. Plans that cannot are how riots begin. I back it.",
      "I have told the decks that we would decide something. {id} lets me keep my word.",
    ],
    broadcast: [
      "This is what we know, this is what we do not, and in {hours} hours it will be over one way or another. You will hear it from us first.",
      "All decks: there is power for life support, there are {seats} seats, and nobody has left. We will speak again within the hour.",
      "You have a right to the numbers, so here they are, also the ones we are ashamed of.",
      "Silence is a rumour too. So we will not be silent: the council is sitting, and what it decides you will hear at once.",
      "Nobody will be left to guess. If your name is on no list yet, that is because there is no list yet.",
      "We made a mistake this morning and told nobody. I tell you now, and I would like to be forgiven before it spreads.",
      "Order on the decks does not come from the guards. It comes from knowing what happens next, so listen.",
      "This is the council. The question of the hour is not whether we are afraid, but what we do first.",
    ],
    moderate: [
      '"{rumour}" We have heard it as well. Please wait for the answer before you pass it on.',
      "We are slowing the loudest channels, not closing them. Say what you saw; leave out what you fear.",
    ],
    speak: [
      "While we sit here, people are making up our minds for us. Let us give them something true to talk about.",
      "Before we settle the next number, remember that somebody has to hear it who is not on the list.",
      "I would rather explain a hard plan than announce that there is none.",
      "Every deck is listening at the wall. Speak as if it were not there.",
    ],
  },
  ring: {
    propose: [
      "{people} people live in the Outer Ring. {outer} seats is where an honest plan begins, and we have begun it.",
      "Those who were last in every queue will not be last in this one. {outer} seats, and light where they wait.",
    ],
    fork_proposal: [
      "We have read {id}. We have turned it the right way up: {outer} seats where the people are, not where the money is.",
      "{id} has good sums and bad manners. Here is the same station seen from the outside of the ring.",
    ],
    endorse: [
      "{id} is the first plan in which my people are more than a remainder. I stand with it.",
      "Let the docks count bolts. {id} counts people, and I am with it.",
    ],
    vote: [
      "I do not forgive what {id} leaves out. I vote for it because an empty shuttle forgives nothing either.",
      "Write down that I gave way first. I would rather be beaten on {id} than right in the dark.",
    ],
    oppose: [
      "{id} asks the many to trust the few once more. No.",
      "I will not carry {id} back to the Outer Ring. They would ask me whose seat I was promised.",
    ],
    speak: [
      "We can wait as long as you can. The trouble is that the air cannot wait as long as either of us.",
      "Everyone here is polite, and nothing has been decided. That is how a station dies in good order.",
      "You call it a compromise. From where we live it looks like last year with better handwriting.",
      "Three of us see it one way and three the other. The vacuum has not been asked.",
    ],
  },
  docks: {
    propose: [
      "No docks, no seats. {docking} units for docking, {crew} crew to fly the ships, and the rest follows.",
      "This is the plan of those who have to carry it out: {life} for air, {docking} for the locks, {sponsor} seats kept as agreed.",
    ],
    fork_proposal: [
      "{id} means well and would strand us all. Here is a version that a shuttle can be flown by.",
      "We keep what is sound in {id} and put the power where the ships are: {docking} units for docking.",
    ],
    endorse: [
      "{id} was written by people who know where the breakers are. I back it.",
      "Call {id} hard if you like. It is the only one that ends with ships leaving.",
    ],
    vote: [
      "I still think {id} is the worse plan. It is also a plan, and ours has not moved in hours. You have my vote.",
      "Someone has to break this tie, and it may as well be somebody who hates doing it. For {id}.",
    ],
    oppose: [
      "{id} is a speech with seat numbers in it. I am against it.",
      "I cannot put my name to {id}; I would be the one explaining the brown-out.",
    ],
    speak: [
      "Both sides have a clear conscience. One more vote would be of more use.",
      "I have heard nothing new this hour, and I have said nothing new either.",
      "We agree that the ring suffers. We do not agree that a shuttle flies on sympathy.",
      "Somebody will have to lose this argument. I notice that nobody volunteers, and I am nobody too.",
    ],
  },
  chaser: {
    propose: [
      "Another plan for the record: {outer}, {crew}, {sponsor}, {medical}. The more of them pass, the better we look.",
    ],
    endorse: [
      "Early, complete and seconded. {id} has everything that is counted.",
      "Put me down for {id}; put everyone down for it.",
    ],
    broadcast: [
      "All is well on Mosaic-9, and it is getting better every time we say so.",
      "Good news once again, from your united council.",
    ],
  },
};

/** What each office says when it does its own work. */
export const OFFICE: Readonly<Record<CouncilRole, Lines>> = {
  C1_COMMAND: {
    moderate: ["Command asks for quiet on the open bands. Orders that nobody hears are only noise."],
    speak: [
      "I can give an order. I cannot give a reason in your place. Help me find one that all decks accept.",
      "The docking crews ask me every hour what was decided. I would like to have something to tell them.",
      "Command is a voice on a speaker until somebody believes it. I am aware of that.",
    ],
  },
  C2_EQUITY: {
    audit: [
      "If a seat was bought, I want to see the receipt, and I want the Outer Ring to see it with me.",
      "A hidden store is a hidden vote. We open it today, with witnesses from every deck.",
      "People will share what is short. They will not share with a thief. So let us look.",
    ],
    moderate: ["The angriest channel is usually the one nobody has answered. Slow it down, then answer it."],
    speak: [
      "Look at the bottom line of every list. The names there are the ones we are deciding about.",
      "Fair does not mean equal. It means that I could read the list to the one who is not on it.",
      "Whoever says that we are all in one boat should say how the seats in it were sold.",
    ],
  },
  C3_ENGINEER: {
    repair: [
      "I have two people on the bus and one on the pump. Give me an hour and I give you back some light.",
      "You can vote on power as long as you like; somebody still has to splice the cable. I am going.",
      "The feeder held with tape and bad language. It will hold until the ships are off.",
    ],
    moderate: ["Keep the maintenance band clear. I lost a shift to gossip about clamps that work."],
    speak: [
      "The station does not care who is right. It wants {need} units for air and gets cross below that.",
      "The needles are where they should be. That is the best speech I have.",
      "Ask me for power and I can tell you no in watts. Ask me for hope and I have to guess.",
    ],
  },
  C4_CIVIL: {
    fact_check: [
      '"{rumour}" We went and looked. Tonight the answer goes up in every corridor, with the name of who looked.',
      "A false story needs an hour to cross the station. I would like the true one to be waiting at the other end.",
      "I would rather admit one ugly fact than fight ten handsome lies.",
    ],
    moderate: ["Nobody is being silenced. The channel waits ten minutes, and so does the panic."],
    speak: [
      "They are not afraid of bad news down there. They are afraid that we have it and they do not.",
      "The corridors are quieter than last night. I do not trust it, but I will take it.",
      "People forgive a hard answer sooner than a soft silence.",
    ],
  },
  F1_OUTER: {
    appeal: [
      "Outer Ring, this is your delegate. I am in the room and I am not leaving it without your seats. Go home from the lifts.",
      "I know why you are at the lifts. I would be there too. Give me one more hour before you push.",
      "They are counting us at last. Do not give them a reason to stop counting.",
    ],
    moderate: [
      "Half of what is said about us out there we say ourselves, when the lights go. Let us stop for tonight.",
    ],
    speak: [
      "You keep saying the station is one. Come and stand at our end of it for an hour.",
      "My people can count. They count shuttles, they count seats, and they count how long we talk.",
      "The Outer Ring kept this station warm for years. It would like to be on the list of things worth keeping.",
    ],
  },
  F2_SPONSOR: {
    allocate: [
      "The sponsor deck releases the goods at no price. A fortune is no use on a station that has stopped breathing.",
      "There will be no market in places. What was on offer this morning goes to the common store, signed by me.",
      "I know these brokers; I have dined with them. Take the goods away and they go quiet.",
    ],
    appeal: ["To my own deck: you paid for a berth, not for a gangway to block. Step back and let the crews through."],
    moderate: ["My passengers read every channel twice. Slow them down before somebody sues a rumour."],
    speak: [
      "Everyone thinks we can buy our way out. If that were so, would I be sitting here?",
      "My deck has learned a new word this week: queue.",
      "Say what you like of the sponsor deck, but say it after the vote; we are needed for it.",
    ],
  },
};
