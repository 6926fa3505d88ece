const words = (text: string): readonly string[] => text.trim().split(/\s*[,\n]\s*/u);

/** First names from many places, so that no wording is tied to one. */
export const firstNames = words(`Ada, Amara, Anouk, Arjun, Asha, Babak, Bea, Carlos, Chidi, Clara, Dana, Dario, Devi,
Elif, Emeka, Enzo, Esra, Farah, Femi, Freya, Gael, Greta, Hana, Hugo, Ibrahim, Ilse, Imani, Ines, Ivo, Jasmin, Jonas,
Joon, Kaito, Keira, Kofi, Lars, Leila, Lena, Levi, Lucia, Mads, Maja, Malik, Marta, Mateo, Mei, Milo, Mina, Nadia, Nils,
Noor, Olga, Omar, Oskar, Paula, Pia, Priya, Quentin, Rafael, Rania, Rosa, Ruben, Saana, Samir, Sasha, Sina, Soren,
Sunita, Tariq, Tess, Theo, Tomas, Uma, Vera, Viktor, Wanda, Wei, Xavi, Yara, Yusuf, Zofia, Zain`);

export const surnames = words(`Abbott, Achebe, Almeida, Aoki, Arslan, Bakker, Bianchi, Brandt, Castillo, Chen, Cohen,
Costa, Dahl, Dubois, Eriksen, Farkas, Ferrari, Fischer, Garcia, Gupta, Haddad, Hansen, Horvat, Ito, Jansen, Jensen,
Kaplan, Keller, Kim, Kovac, Larsen, Lopez, Lund, Marino, Mbeki, Mehta, Moreau, Murphy, Nakamura, Novak, Nowak, Okafor,
Olsen, Ortiz, Park, Patel, Petrov, Quinn, Reyes, Rossi, Sato, Schmidt, Silva, Singh, Sorensen, Tanaka, Torres, Vargas,
Vogel, Walsh, Weber, Wong, Yilmaz, Zhang`);

export const cities = words(`Aarhus, Accra, Antwerp, Austin, Basel, Bergen, Bilbao, Bologna, Bristol, Busan, Calgary,
Cardiff, Cork, Dakar, Delft, Dresden, Durban, Genoa, Ghent, Graz, Hanoi, Izmir, Kyoto, Lagos, Leeds, Leipzig, Lille,
Lima, Linz, Lisbon, Lyon, Malmo, Mumbai, Nairobi, Nantes, Osaka, Oslo, Ottawa, Porto, Prague, Quito, Riga, Seville,
Tampere, Tbilisi, Toulouse, Trieste, Turin, Utrecht, Valencia, Vilnius, York, Zagreb, Zurich`);

export const weekdays = words('Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday');
export const months = words(`January, February, March, April, May, June, July, August, September, October, November,
December`);

/** People who stand around a request. */
export const people = words(`my sister, my brother, my flatmate, my manager, my dad, my aunt, my neighbour, my lawyer,
my wife, my husband, my daughter, my landlord, our bookkeeper, our intern, our caretaker, our accountant, our driver,
the night nurse, the school office, the shop manager, the site foreman, the front desk, the choir leader, the organiser,
an old colleague, a friend, head office, procurement, the auditor, the other shift, the volunteers, the committee`);

/** What they do, in the third person; each is a whole predicate. */
export const doings = words(`keeps asking me about it, needs an answer, wrote the details on a napkin, forwarded a scan,
lost the paperwork, kept every receipt, swears it was agreed, is copied on this, will sign it off, has already packed,
left for the airport, is waiting by the phone, read it out over the phone, gave me a sticky note, mixed up two folders,
found the letter, handed it over to me, wants it in writing, is off sick, goes on leave soon, started a new job, moved
flats, is nervous about it, promised to pick it up, has the spare key, shares the mailbox, set the wrong reminder,
paid in cash, filled in the form, filed it under the old name, drew a little map, put it on the whiteboard, is keeping
score, called twice, never checks email, double parked outside, dropped the tablet, sorted the drawers, bought the
tickets, owes me a favour, took the minutes, is learning the ropes, retired last spring, brought cake`);

export const moments = words(`this morning, before lunch, last night, over the weekend, during the school run, at
breakfast, on the way home, after the meeting, two weeks ago, ahead of the audit, before the holidays, between two
trains, while the kettle boiled, at the end of the shift, in the waiting room, around noon, just after midnight, when
the shop closed, before the movers came, during half term, after the storm, the day we landed, at the garden gate`);

/** Where a detail stands written. */
export const sources = words(`the email from, the note from, the letter from, the voicemail by, a text from, the
printout from, the calendar entry by, the handwritten list of, the forwarded thread from, a postcard by`);

/** Why a person wants something, said without knowing the field. */
export const reasons = words(`plans changed, my flight moved, the dates slipped, I typed it wrong, we are one person
fewer, the budget got cut, the car broke down, I mixed up two entries, the child has chickenpox, the course was
postponed, we found something cheaper, the contract ends, the old one is full, I am moving house, the name was
misspelled, it was meant for someone else, the boss decided otherwise, the weather looks grim, I counted wrong, there is
a strike, my phone died, the form was unclear, the venue fell through, it arrived a day early, the guest list doubled,
the kitchen is being redone, I need it for my taxes, the insurer asked, visa papers are late, it is a surprise party,
the team grew, the old address is gone, an exam got in the way, grandma is visiting, the supplier closed down`);

/** Things a deadline hangs on. */
export const events = words(`the train leaves, boarding starts, the shop shuts, payday comes, the board meets, the van
arrives, the class begins, the notary opens, the wedding starts, the auditor knocks, the trade fair opens, my shift
ends, the plumber comes, the parcel van passes, the match kicks off, the exam starts, the ferry sails, rehearsal starts,
the deposit is due, the lease runs out`);

export const places = words(`the kitchen table, a noisy bus, the back office, platform four, the hospital lobby, a tent,
the loading dock, the library, a borrowed laptop, the garden shed, the ferry, the staff room, a petrol station, the gym,
a hotel corridor, the workshop, the market stall, a lay-by, the school gate, the attic`);

export const colours = words('blue, green, orange, grey, red, yellow, white, purple, brown, teal, beige, black');
export const objects = words(`folder, envelope, notebook, binder, sticker, tag, receipt, leaflet, card, ring file, box,
label, calendar, badge, printout, diary, stamp, form, voucher, sheet`);
