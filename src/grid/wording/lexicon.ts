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
night shift, our school office, some shop manager, their foreman, front desk, our choir leader, one organiser,
an old colleague, a friend, head office, procurement, an auditor, another shift, two volunteers, our committee`);

/** What they do, in the third person; each is a whole predicate. */
export const doings = words(`keeps asking me about it, needs an answer, wrote details on some napkin, forwarded a scan,
lost her paperwork, kept every receipt, swears it was agreed, is copied on this, will sign it off, has already packed,
left for his airport, sits waiting by phone, read it out on air, gave me two sticky notes, mixed up two folders,
found that letter, handed it over to me, wants it in writing, is off sick, goes on leave soon, started another job, moved
flats, is nervous about it, promised to pick it up, has our spare key, shares my mailbox, set wrong reminders,
paid in cash, filled in some form, filed it under his old name, drew me maps, put it on our whiteboard, is keeping
score, called twice, never checks email, double parked outside, dropped his tablet, sorted old drawers, bought both
tickets, owes me favours, took minutes, is learning fast, retired last spring, brought cake`);

export const moments = words(`this morning, before lunch, last night, over Christmas, during our school run, at
breakfast, on our way home, after their meeting, two weeks ago, ahead of some audit, before our holidays, between two
trains, while my kettle boiled, late in his shift, inside that waiting room, around noon, just after midnight, when
shops closed, before movers came, during half term, after that storm, days after landing, by her garden gate`);

/** Where a detail stands written. */
export const sources = words(`an email from, some note from, this letter from, voicemail by, a text from, that
printout from, calendar entry by, handwritten list of, forwarded thread from, one postcard by`);

/** Why a person wants something, said without knowing the field. */
export const reasons = words(`plans changed, my flight moved, our dates slipped, I typed it wrong, we are one person
fewer, budgets got cut, my car broke down, I mixed up two entries, Junior has chickenpox, her course was
postponed, we found something cheaper, my contract ends, our old one is full, I am moving house, his name was
misspelled, it was meant for someone else, management decided otherwise, weather looks grim, I counted wrong, there is
a strike, my phone died, their form was unclear, our venue fell through, it arrived too early, guest lists doubled,
our kitchen is being redone, I need it for my taxes, my insurer asked, visa papers are late, it is a surprise party,
our team grew, his old address is gone, an exam got in the way, grandma is visiting, suppliers closed down`);

/** Things a deadline hangs on. */
export const events = words(`our train leaves, boarding starts, their shop shuts, payday comes, my board meets, her van
arrives, class begins, some notary opens, his wedding starts, an auditor knocks, trade fairs open, my shift
ends, our plumber comes, a parcel van passes, kick-off comes, her exam starts, that ferry sails, rehearsal starts,
rent falls due, my lease runs out`);

export const places = words(`our kitchen table, some noisy bus, back office, platform four, hospital lobby, my tent,
loading dock, town library, somebody else's laptop, our garden shed, deck two, staff room, petrol station, their gym,
hotel corridor, her workshop, his market stall, lay-by nine, school gate, our attic`);

export const colours = words('blue, green, orange, grey, red, yellow, white, purple, brown, teal, beige, black');
export const objects = words(`folder, envelope, notebook, binder, sticker, tag, receipt, leaflet, card, ring file, box,
label, calendar, badge, printout, diary, stamp, form, voucher, sheet`);
