"""Spanish."""

from __future__ import annotations

from assistant.memory.consolidation.language import (
    Language,
    classes,
    exclusive,
    facts,
    marked,
    nouns,
    over,
    phrases,
    words,
)

_WHO = r"(?P<who>(?:mi|nuestr[oa]) \w+(?: \w+)?|(?!yo |tu |el |ella |la |los |las |un |una |me |que )[^\d\W]\w*) "
_TAIL = (
    r"(?P<tail> (?:desde|por \w+ anos|hasta|en \d{4}|en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"septiembre|"
    r"octubre|noviembre|diciembre)|el (?:mes|ano|verano|lunes) pasado|la semana pasada|este|esta|hace|con|porque)"
    r"(?: .*)?)?"
)
_I = r"(?:yo |nosotros )?"
_PLACE = r"(?P<residence>(?!una? |el |mi |casa\b).+?)"

SPANISH = Language(
    name="es",
    evidence=words(
        "el los las un una mi mis es soy está estoy y en con para por del al que no me se tengo tiene vivo trabajo "
        "llamo llama años desde mucho gusta gustan mío nuestra nuestro todos sin nunca ya muy yo hay lo su "
        "cada le e he hemos ahora mudé"
    ),
    silent=words(
        "el la los las un una unos unas de del yo soy estoy mi mis nuestra nuestro nuestros muy realmente "
        "también pues en"
    ),
    copulas=words("soy es son está estoy están"),
    mine=words("mi mis nuestra nuestro"),
    first=words("yo me mí nosotros nos"),
    denials=marked(
        not_="no ningún ninguno ninguna nada nadie ni tampoco apenas",
        never="nunca jamás",
        without="sin salvo excepto",
    ),
    ended=over(("ya no", ""), ("no", "ya|mas")),
    fillers=phrases(
        [
            "ahora",
            "actualmente",
            "en este momento",
            "hoy en dia",
            "por cierto",
            "hace poco",
            "recientemente",
            "por fin",
            "todavia",
            "aun",
            "ya",
            "ahora mismo",
            "de momento",
            "por ahora",
            "ultimamente",
            "hoy",
            "pues",
            "realmente",
            "en realidad",
            "tambien",
            "al final",
            "acabo de decir",
            "muy",
        ]
    ),
    forms=classes(
        "coche carro auto automóvil | vivo resido | vive reside | trabajo empleo profesión oficio curro | "
        "empresa compañía | "
        "gusta encanta | gustan encantan | móvil celular | piso apartamento departamento | padre papá | madre mamá | "
        "niños chicos críos | llamo nombro | favorito preferido | favorita preferida | médico doctor | "
        "médica doctora | "
        "alérgico alérgica alergia | bici bicicleta | película peli | euros euro € | dólares dólar $ | odio "
        "detesto | "
        "cada todos todas | ordenador computadora pc | jefe patrón | jefa patrona | alquiler renta | km kilómetros "
        "kilómetro | kg kilo kilos kilogramos | teléfono tfno"
    ),
    opposites=exclusive(
        "todos algunos varios pocos muchos ninguno ambos | siempre a veces frecuentemente raramente | más "
        "menos | antes "
        "después | izquierda derecha | temprano tarde | caliente frío | grande pequeño pequeña | viejo nuevo "
        "joven vieja "
        "nueva | rico pobre | soltero soltera casado casada divorciado divorciada | gusta odio | compro "
        "vendo | compré "
        "vendí | bueno malo | primero último | mañana tarde noche | padre madre | hermano hermana | hijo "
        "hija | marido "
        "mujer | puede debe | desde hasta"
    ),
    facts=facts(
        [
            r"(?:yo )?(?:soy|me hice|me he hecho|me he vuelto) (?P<diet>vegan[oa]|vegetarian[oa]|"
            r"pescetarian[oa])<tail>|como "
            r"(?P<diet>carne)",
            r"(?:yo )?(?:soy|estoy|me he) (?P<relationship>solter[oa]|casad[oa]|divorciad[oa]|prometid[oa]|viud[oa]|"
            r"separad[oa]|en pareja)<tail>",
            r"<i>(?:vivo|resido|vivimos|residimos|estoy viviendo|llevo \w+ viviendo) en <place><tail>",
            r"<who>(?:vive|reside) en <place><tail>",
            r"<i>(?:(?:me|nos) (?:he|hemos|mude|mudamos|mudado|traslade|trasladamos|fui a vivir|instale)"
            r"(?: mudado| trasladado| instalado| ido a vivir)?|acabo de mudarme)(?: de "
            r"(?P<residence_left>.+?))? (?:a|en) "
            r"<place><tail>",
            r"<who>se (?:mudo|ha mudado|traslado) a <place><tail>",
            r"mi (?:casa|domicilio|residencia|hogar|ciudad) (?:esta en|es) (?P<residence>.+?)<tail>|"
            r"(?P<residence>.+?) es (?:donde "
            r"vivo|mi ciudad|mi hogar)|es en (?P<residence>.+?) donde vivo",
            r"(?:yo )?(?:deje|me fui de|he dejado|abandone) (?P<residence_left>(?!mi |el |la |de ).+?)<tail>",
            r"<i>(?:trabajo|estoy trabajando|estoy empleado|estoy empleada) (?:en|para|con) "
            r"(?P<employer>(?!una? |casa|el |la |mi "
            r").+?)<tail>",
            r"<i>(?:empece|he empezado|comence)(?: a trabajar)? (?:en|para) (?P<employer>(?!una? ).+?)<tail>|"
            r"<i>me (?:ha "
            r"contratado|contrato|contrataron en) (?P<employer>.+?)<tail>",
            r"<who>trabaja (?:en|para) (?P<employer>(?!una? |casa|el |la ).+?)<tail>",
            r"(?:yo )?(?:deje (?:mi trabajo|el trabajo|de trabajar) en|renuncie a) (?P<employer_left>.+?)<tail>",
            r"<i>(?:trabajo|estoy) (?:como|de) (?P<job>.+?)(?: en (?P<employer>.+?))?<tail>",
            r"<who>trabaja (?:como|de) (?P<job>.+?)(?: en (?P<employer>.+?))?<tail>",
            r"(?:yo )?soy (?:una? )?(?P<maybe_job>[^\d\W]\w+)(?: de profesion)?",
            r"<who>es (?:una? )?(?P<maybe_job>[^\d\W]\w+)(?: de profesion)?",
            r"(?:yo )?(?:tengo|he cumplido|cumpli|acabo de cumplir) (?P<age>\d{1,3}) anos|mi edad es (?:de "
            r")?(?P<age>\d{1,3})"
            r"(?: anos)?",
            r"<who>(?:tiene|cumplio|ha cumplido) (?P<age>\d{1,3}) anos",
            r"(?:yo )?me llamo (?P<name>.+?)|mi nombre es (?P<name>.+?)|me llaman (?P<name>.+?)",
            r"(?P<who>mi .+?) se llama (?P<name>.+?)|el nombre de (?P<who>mi .+?) es (?P<name>.+?)",
            r"(?:yo )?tengo una? (?P<who>.+?) (?:que se llama|llamad[oa]|de nombre) (?P<name>.+?)",
            r"(?:yo )?(?:soy )?alergic[oa] (?:a|al) (?:los |las |la |el )?(?P<allergy>.+?)|(?:tengo|padezco|"
            r"sufro) (?:una )?"
            r"alergia (?:a|al) (?:los |las |la |el )?(?P<allergy>.+?)",
            r"<who>es alergic[oa] (?:a|al) (?:los |las |la |el )?(?P<allergy>.+?)",
            r"(?:yo )?conduzco (?:una? )?(?:nuevo )?(?P<maybe_car>.+?)<tail>",
            r"(?:yo )?hablo (?P<speaks>.+?)(?: con fluidez)?",
            r"(?:a mi )?me (?:gustan?|encantan?)(?: mucho)? (?P<likes>.+?)",
            r"a (?P<who>mi \w+) le (?:gustan?|encantan?) (?P<likes>.+?)",
            r"(?:yo )?(?:odio|detesto|no soporto) (?P<dislikes>.+?)",
            r"(?:yo )?naci (?:el |en )(?P<birth>.*?\d.*?)|mi cumpleanos es (?:el )?(?P<birth>.+?)|(?:naci en |"
            r"soy de |vengo de )"
            r"(?P<origin>[^\d]+?)",
            r"(?:yo )?(?:deje de|he dejado de) (?P<activity_left>.+?)",
            r"mi(?: nuev[oa])? (?P<favourite_of>\w+) (?:favorit|preferid)[oa] es (?:el |la )?(?P<favourite>.+?)",
            r"(?:el |la |los |las )?(?P<favourite>.+?) es mi(?: nuev[oa])? (?P<favourite_of>\w+) (?:favorit|"
            r"preferid)[oa]",
            r"(?:mi|nuestr[oa])(?P<fresh> nuev[oa])? (?P<mine>.+?) (?:es|esta|son) (?P<mine_value>.+?)",
            r"(?P<mine_value>.+?) es (?:mi|nuestr[oa])(?P<fresh> nuev[oa])? (?P<mine>.+?)",
            r"(?:yo )?tengo (?P<count>\d+) (?P<count_of>.+?)",
        ],
        who=_WHO,
        tail=_TAIL,
        place=_PLACE,
        i=_I,
    ),
    nouns=nouns(
        phone="numero,numero de telefono,telefono,movil,numero de movil,celular,numero de celular",
        email="email,correo,correo electronico,direccion de correo",
        address="direccion",
        employer="empresa,empleador",
        job="trabajo,profesion,empleo,oficio",
        car="coche,carro,auto",
        age="edad",
        boss="jefe,jefa",
        doctor="medico,medica,doctor,doctora,medico de cabecera",
        dentist="dentista",
        wife="mujer,esposa",
        husband="marido,esposo",
        partner="novio,novia,pareja,prometido,prometida",
        landlord="casero,casera",
        rent="alquiler,renta",
        salary="sueldo,salario",
        weight="peso",
        height="altura,estatura",
        size="talla,numero de pie",
        time_zone="zona horaria,huso horario",
        operating_system="sistema operativo",
        deadline="fecha limite,plazo",
        pin="pin,codigo",
        school="escuela,universidad,colegio",
        bank="banco",
    ),
    joins=words("y pero porque cuando si mientras aunque donde o entonces luego como pues"),
)

PROFESSIONS = words(
    "enfermero enfermera profesor profesora maestro maestra medico medica abogado abogada ingeniero ingeniera "
    "desarrollador desarrolladora programador programadora cocinero cocinera panadero panadera carpintero "
    "electricista "
    "fontanero contable arquitecto arquitecta periodista escritor escritora fotografo fotografa musico actor actriz "
    "pintor pintora dentista farmaceutico farmaceutica veterinario veterinaria mecanico piloto conductor jardinero "
    "agricultor bibliotecario bibliotecaria fisico estudiante consultor consultora traductor traductora psicologo "
    "psicologa juez camarero camarera peluquero peluquera vendedor vendedora secretario secretaria bombero policia"
)
